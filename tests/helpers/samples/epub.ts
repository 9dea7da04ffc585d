import { zipFile } from './zip-file.ts'

/** A zip archive. Every second file is deflated, the others are stored. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  return zipFile(Object.entries(files).map(([name, content], index) => ({ name, content, stored: index % 2 === 0 })))
}

/** A book with these chapters (XHTML bodies), a picture "dot.png" and a table of contents. */
export function epubOf(title: string, chapters: Readonly<Record<string, string>>, picture: Uint8Array): Buffer {
  const names = Object.keys(chapters)
  const page = (body: string) =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><title>t</title><link rel="stylesheet" href="book.css"/></head><body>${body}</body></html>`
  const items = names.map(
    (_, index) => `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`,
  )
  const spine = names.map((_, index) => `<itemref idref="c${index}"/>`)
  const links = names.map((name, index) => `<li><a href="c${index}.xhtml">${name}</a></li>`)
  return zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>`,
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></metadata><manifest><item id="nav" href="nav.xhtml" properties="nav"/>${items.join('')}</manifest><spine>${spine.join('')}</spine></package>`,
    'OEBPS/nav.xhtml': page(
      `<nav xmlns:epub="http://www.idpf.org/2007/ops" epub:type="toc"><ol>${links.join('')}</ol></nav>`,
    ),
    'OEBPS/book.css': '.red { color: rgb(200, 0, 0); background: url(https://example.org/spy.png) }',
    'OEBPS/dot.png': picture,
    ...Object.fromEntries(names.map((name, index) => [`OEBPS/c${index}.xhtml`, page(chapters[name] ?? '')])),
  })
}
