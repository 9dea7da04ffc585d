import type { Zip } from '../book/zip.ts'

type Content = string | Blob | ArrayBuffer | Uint8Array

const CONVERSIONS: Readonly<Record<string, (content: Blob) => Promise<Content>>> = {
  string: async (content) => await content.text(),
  blob: async (content) => content,
  uint8array: async (content) => new Uint8Array(await content.arrayBuffer()),
}

/** Takes the place of jszip in docx-preview: the part of it that reads, over an archive that is open already. */
const substitute = {
  async loadAsync(zip: Zip) {
    const entries = Array.from(zip.checksums.keys(), (name) => [name, { async: convert(zip, name) }] as const)
    return { files: Object.fromEntries(entries) }
  },
}
export { substitute as default }

function convert(zip: Zip, name: string) {
  return async (type: string): Promise<Content | undefined> => {
    const content = await zip.read(name)
    return content && (await CONVERSIONS[type]?.(content))
  }
}
