/** What a call may answer that sends a file, or a part of it: whole, while it is being made, in part, unchanged; and why not. */
export const FILE_REPLIES = {
  200: null,
  202: null,
  206: null,
  304: null,
  400: null,
  403: null,
  404: null,
  412: null,
  416: null,
} as const
