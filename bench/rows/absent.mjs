// Bars whose subject does not exist yet, named so that nobody takes them for held.

function absent(title, bar, others = []) {
  return {
    row: "absent",
    title,
    bar,
    ours: null,
    floor: null,
    others,
    bars: [],
    note: "not built yet",
  };
}

/** @param {import('../bench.mjs').Bench} bench */
async function run(bench) {
  const others = [];
  for (const peer of bench.peers.filter((each) => "toolList" in each)) {
    const text = await peer.toolList();
    others.push({ who: peer.who, value: `${bench.tokens(text)} tokens` });
  }
  return [
    absent("tool list sent to a model", "at most 3,000 tokens", others),
    absent("recorder on a 2,000-cell table at 20 Hz", "at most 1.15 x an empty observer"),
    absent("false success, wrong target, leaked secret over the trap corpus", "zero"),
  ];
}

export const rows = [{ name: "absent", run }];
