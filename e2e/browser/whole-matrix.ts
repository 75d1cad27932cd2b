/** Whether the run is `npm test -- --all`, or of named files: then every page is looked at in every way. */
export const isWholeMatrix = process.env.TEST_ALL === '1'
