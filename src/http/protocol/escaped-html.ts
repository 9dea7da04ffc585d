const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' }

/** Text as it may stand in an element or in a quoted attribute (GHSA-r633-fcgp-m532). */
export function escapedHtml(text: string): string {
  return text.replace(/[<>&"\u2028\u2029]/g, (character) => ESCAPES[character] ?? `&#${character.charCodeAt(0)};`)
}
