import { type HarmlessDocument, sanitiseDocument } from '../../lib/markdown/sanitise-document.ts'
import { openArchive } from './safe-archive.ts'

/** Reads a document by its extension. @throws NotShown, TooLargeInside; any other Error if it is damaged */
export async function openDocument(bytes: Blob, name: string): Promise<HarmlessDocument> {
  const zip = await openArchive(bytes)
  // Without a window, nothing in it runs or is loaded; in no document, its styles are not applied.
  const root = document.implementation.createHTMLDocument('').createElement('div')
  if (/\.docx$/i.test(name)) {
    await (await import('./letter.ts')).drawLetter(zip, root)
  } else if (/\.odt$/i.test(name)) {
    await (await import('./open-text.ts')).drawText(zip, root)
  } else {
    await (await import('./slides.ts')).drawSlides(zip, root)
  }
  return sanitiseDocument(root)
}
