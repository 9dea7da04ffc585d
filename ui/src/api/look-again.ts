/** What the command line changes without a word to the server is asked again while it is shown: so often, in milliseconds. */
export const LOOK_AGAIN_AFTER = 5000
