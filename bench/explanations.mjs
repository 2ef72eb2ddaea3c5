// Why a bar is missed, by the title of its row: one honest sentence that names the floor.
//
// A miss without a line here fails the run; a line whose bar is held says nothing and is removed.

/** @type {Record<string, string>} */
export const EXPLANATIONS = {};
