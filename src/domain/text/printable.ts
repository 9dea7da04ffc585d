/** They move cursors, end lines and turn text around. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const TRICKY = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Untrusted text made safe for a terminal: escape sequences in it could trick the reader. */
export function printable(text: string, inPlaceOf: (character: string) => string = () => '\ufffd'): string {
  return text.replace(TRICKY, inPlaceOf)
}

/** Whether a name has line breaks or bidirectional controls, with which it could pass for another name. */
export function hasControls(name: string): boolean {
  // Marks of direction alone stay: names of both directions may need them.
  return /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name)
}
