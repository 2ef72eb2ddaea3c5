// Waiting for the browser to paint, without ever waiting for a browser that does not.

// A hidden page gets no frames; a timer then stands in for them.
const FRAME_MAX_MS = 50;

/** How many timers and frames these scripts have asked for themselves. */
export const owned = { timers: 0, frames: 0 };

const soon = (run: () => void): void => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => {
    channel.port1.close();
    run();
  };
  channel.port2.postMessage(null);
};

interface Scheduler {
  postTask(run: () => void, options: { priority: "user-blocking" }): Promise<void>;
}
const { scheduler } = globalThis as unknown as { scheduler?: Scheduler };

/** Runs in a task of its own right after the one that runs now, ahead of timers where it can. */
export function afterTask(run: () => void): void {
  if (scheduler) void scheduler.postTask(run, { priority: "user-blocking" });
  else soon(run);
}

/** Resolves once one frame has been produced and painted, or after `FRAME_MAX_MS` without one. */
export function frame(): Promise<void> {
  return new Promise((done) => {
    owned.timers += 1;
    owned.frames += 1;
    const timer = setTimeout(done, FRAME_MAX_MS);
    // The task posted from the callback runs after the style, layout and paint of that frame.
    requestAnimationFrame(() =>
      soon(() => {
        clearTimeout(timer);
        done();
      }),
    );
  });
}

export function pause(ms: number): Promise<void> {
  owned.timers += 1;
  return new Promise((done) => setTimeout(done, ms));
}
