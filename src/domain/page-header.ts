/** Sent by our own page with each call. Another site cannot send it without leave, which nobody is given. */
export const PAGE_HEADER = 'x-filemgr-page'

/** Of the page itself, and never of a file that somebody uploaded: only such an answer is kept for when there is no network. */
export const SHELL_HEADER = 'x-filemgr-shell'
