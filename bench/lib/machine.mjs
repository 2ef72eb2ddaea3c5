// What the numbers were made with: the machine and every version, without naming the machine.

import { execFileSync } from "node:child_process";
import os from "node:os";

import { peerVersions } from "../drivers/peers.mjs";

const version = (program) => {
  const said = execFileSync(program, ["--version"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return said.trim();
};

/** @param {{binary: string, browser: string, peers: boolean}} of */
export function machine({ binary, browser, peers }) {
  const processors = os.cpus();
  return {
    machine: {
      processor: processors[0]?.model.trim() ?? "unknown",
      processors: processors.length,
      memory_gb: Math.round(os.totalmem() / 1024 ** 3),
      system: `${os.type()} ${os.release().split("-")[0]}`,
      load: os.loadavg().map((each) => Math.round(each * 100) / 100),
    },
    versions: {
      sidestick: version(binary),
      chromium: version(browser),
      node: process.version,
      ...(peers ? peerVersions() : {}),
    },
    at: new Date().toISOString().slice(0, 10),
  };
}
