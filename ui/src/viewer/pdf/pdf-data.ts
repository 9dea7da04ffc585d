/** What documents take for granted: the character maps of East Asian scripts, and the fonts that every reader has. */
const FILES = import.meta.glob<string>(
  '../../../../../node_modules/pdfjs-dist/{cmaps/*.bcmap,standard_fonts/*.pfb,standard_fonts/*.ttf}',
  { query: '?url', import: 'default', eager: true },
)

/** Gives them to PDF.js by their names, from our own server. */
export class PdfData {
  readonly #urls = new Map(Object.entries(FILES).map(([file, url]) => [file.slice(file.lastIndexOf('/') + 1), url]))

  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const url = this.#urls.get(filename) ?? this.#urls.get(`${filename}.bcmap`)
    const response = url === undefined ? undefined : await fetch(url)
    if (response?.ok !== true) throw new Error(`PDF.js asked for "${filename}", which is not there`)
    return new Uint8Array(await response.arrayBuffer())
  }
}
