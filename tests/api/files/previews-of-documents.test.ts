import { describe, expect, it } from 'vitest'
import { foreignProgram } from '../../helpers/api/foreign-program.ts'
import { testApp, type TestApp } from '../../helpers/api/test-app.ts'
import { zipOf } from '../../helpers/samples/epub.ts'
import { pdfOf } from '../../helpers/samples/pdf-of.ts'
import { inspectPicture, quarters } from '../../helpers/samples/pictures.ts'
import { flacWith, m4aWith, mp3With } from '../../helpers/samples/songs.ts'
import { zipFile } from '../../helpers/samples/zip-file.ts'
import type { FileTree } from '../../helpers/temp-folder.ts'

const BROWSER = { accept: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8' }
const CORNERS = ['red', 'green', 'blue', 'yellow']
const COVER = await quarters(400, 400).jpeg().toBuffer()

async function thumb(server: TestApp, name: string, headers: Readonly<Record<string, string>> = BROWSER) {
  const admin = await server.admin()
  return await admin.ask('GET', `/api/preview/thumb/${name}?inline=true`, { headers })
}

/** A drawing with plain spaces: those that do not break are as wide at the start of a line, too. */
const spaced = (body: string): string => body.replaceAll('\u00a0', ' ')

describe('the thumbnail of a text', () => {
  it('is a drawing of its first lines, in which nothing is markup', async () => {
    const text = `# Notes & <script>alert(1)</script>\n\n\tindented\u202e\u0007\n${'long '.repeat(40)}\n${'more\n'.repeat(5000)}`
    await using server = await testApp({ files: { 'a.markdown': text } })
    const { statusCode, headers, body } = await thumb(server, 'a.markdown')
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/svg+xml'])
    expect(headers['content-security-policy']).toContain('sandbox')
    expect(spaced(body)).toContain('># Notes &amp; &lt;script&gt;alert(1)&lt;/script&gt;</text>')
    expect(spaced(body)).toContain('>  indented</text>')
    expect(body.match(/<text /g)).toHaveLength(24)
    expect(body.match(/<(?!\/?(svg|g|text)\b)/g)).toBeNull()
    expect(body.length).toBeLessThan(8000)
  })

  it('is in its own direction and encoding, and ends with a whole character', async () => {
    const files = {
      'arabic.txt': 'مرحبا بالعالم\nplain',
      'old.txt': Buffer.from('Gr\xfc\xdfe aus K\xf6ln', 'latin1'),
      'wide.csv': Buffer.from('\ufeffä;b\n1;2', 'utf16le'),
      'cut.txt': `a${'й'.repeat(5000)}`,
    }
    await using server = await testApp({ files })
    const bodyOf = async (name: string) => spaced((await thumb(server, name)).body)
    expect(await bodyOf('arabic.txt')).toMatch(/ direction="rtl">مرحبا بالعالم<\/text><text y="32" x="10">plain/)
    expect(await bodyOf('old.txt')).toContain('>Grüße aus Köln<')
    expect(await bodyOf('wide.csv')).toContain('>ä;b<')
    expect(await bodyOf('cut.txt')).not.toContain('\ufffd')
  })

  it('is only for clients that take drawings, and neither for programs nor for empty files', async () => {
    await using server = await testApp({
      files: { 'a.txt': 'text', 'a.bin': Buffer.from([0, 1, 2, 3]), 'empty.txt': '' },
    })
    expect((await thumb(server, 'a.txt', {})).statusCode).toBe(501)
    expect((await thumb(server, 'a.txt', { accept: 'image/webp,*/*' })).statusCode).toBe(501)
    for (const name of ['a.bin', 'empty.txt'])
      expect([name, (await thumb(server, name)).statusCode]).toEqual([name, 204])
    const ann = await server.user('bob', { download: true })
    expect((await ann.ask('GET', '/api/preview/big/a.txt', { headers: BROWSER })).statusCode).toBe(501)
    await using without = await testApp({ options: { disableThumbnails: true }, files: { 'a.txt': 'text' } })
    expect((await thumb(without, 'a.txt')).statusCode).toBe(204)
  })

  it('is not made where downloads of a link are limited: it could be all of the text', async () => {
    await using server = await testApp({ files: { 'a.txt': 'the whole text', 'b.mp3': mp3With(COVER) } })
    const admin = await server.admin()
    const made = await admin.ask('POST', '/api/share/', { payload: JSON.stringify({ terms: { maxDownloads: 3 } }) })
    const { hash } = made.json<{ hash: string }>()
    const ask = async (name: string) =>
      await server.ask('GET', `/api/public/preview/thumb/${hash}/${name}?inline=true`, { headers: BROWSER })
    expect([(await ask('a.txt')).statusCode, (await ask('b.mp3')).statusCode]).toEqual([204, 200])
  })

  it('of a letter is that of its paragraphs', async () => {
    const xml =
      '<w:document><w:p><w:r><w:t>Dear </w:t></w:r><w:r><w:t xml:space="preserve">A &amp; B</w:t></w:r></w:p><w:p/>'
    const files = { 'a.docx': zipOf({ 'word/document.xml': xml }), 'b.docx': zipOf({ x: '' }), 'c.docx': 'no zip' }
    await using server = await testApp({ files })
    expect(spaced((await thumb(server, 'a.docx')).body)).toContain('>Dear A &amp; B</text>')
    for (const name of ['b.docx', 'c.docx']) expect([name, (await thumb(server, name)).statusCode]).toEqual([name, 204])
  })
})

const CONTAINER = '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'

/** A book whose package document has these entries. */
function bookOf(manifest: string, more: Readonly<Record<string, string | Uint8Array>> = {}): Buffer {
  const opf = `<package><metadata>${manifest}</metadata></package>`
  return zipOf({
    'META-INF/container.xml': CONTAINER,
    'OEBPS/book.opf': opf,
    'OEBPS/pics/my cover.jpg': COVER,
    ...more,
  })
}

describe('the thumbnail of a song, a book or a document', () => {
  const songs: FileTree = { 'a.mp3': mp3With(COVER), 'a.flac': flacWith(COVER), 'a.m4a': m4aWith(COVER) }
  const item = (attributes: string) => `<item ${attributes} href="pics/my%20cover.jpg" media-type="image/jpeg"/>`

  it.each(Object.keys(songs))('%s is the cover inside', async (name) => {
    await using server = await testApp({ files: songs })
    const { headers, rawPayload } = await thumb(server, name, {})
    expect(headers['content-type']).toBe('image/jpeg')
    expect(await inspectPicture(rawPayload)).toEqual({ format: 'jpeg', width: 256, height: 256, corners: CORNERS })
  })

  it.each([
    ['names it', item('id="x" properties="cover-image"')],
    ['refers to it', `<meta name="cover" content="x"/>${item('id="x"')}`],
    ['has a picture of that name', item('id="x"')],
  ])('is the cover of a book that %s, as a whole', async (_, manifest) => {
    await using server = await testApp({ files: { 'a.epub': bookOf(manifest) } })
    const { rawPayload } = await thumb(server, 'a.epub')
    expect(await inspectPicture(rawPayload)).toMatchObject({ format: 'webp', width: 256, height: 192 })
  })

  it('is the first page that the program has saved', async () => {
    const page = await quarters(200, 280).png().toBuffer()
    const files = {
      'a.odt': zipOf({ 'Thumbnails/thumbnail.png': page }),
      'a.pptx': zipOf({ 'docProps/thumbnail.jpeg': COVER }),
    }
    await using server = await testApp({ files })
    for (const name of Object.keys(files))
      expect(await inspectPicture((await thumb(server, name)).rawPayload)).toMatchObject({ width: 256, height: 192 })
  })

  it('is missing if there is none, or if it is damaged or too large', async () => {
    const bomb = { name: 'Thumbnails/thumbnail.png', content: Buffer.alloc(17 * 1024 * 1024) }
    const liar = { ...bomb, size: 1000 }
    const files = {
      'plain.mp3': Buffer.alloc(3000, 0xff),
      'cut.mp3': mp3With(COVER).subarray(0, 500),
      'endless.m4a': Buffer.concat([Buffer.from('\0\0\0\x08ftyp', 'latin1'), Buffer.alloc(80_000)]),
      'many.m4a': Buffer.concat(Array.from({ length: 50_000 }, () => Buffer.from('\0\0\0\x08ftyp', 'latin1'))),
      'no.epub': bookOf(''),
      'away.epub': bookOf('<item id="cover" href="../../../etc/passwd" media-type="image/png"/>'),
      'text.epub': 'no zip at all',
      'svg.odt': zipOf({ 'Thumbnails/thumbnail.png': '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
      'bomb.odt': zipFile([bomb]),
      'liar.odt': zipFile([liar]),
    }
    await using server = await testApp({ files })
    for (const name of Object.keys(files)) expect([name, (await thumb(server, name)).statusCode]).toEqual([name, 204])
  })

  it('is the first page of a PDF, if a program for it is installed', async () => {
    const page = await quarters(900, 1200).jpeg().toBuffer()
    await using program = await foreignProgram('exec cat "$here/page.jpg"', {
      name: 'pdftoppm',
      files: { 'page.jpg': page },
    })
    const files = { 'a.pdf': pdfOf(['one']), 'no.pdf': 'something else' }
    await using server = await testApp({ foreign: program.decoders, files })
    const { headers, rawPayload } = await thumb(server, 'a.pdf', {})
    expect(headers['content-type']).toBe('image/jpeg')
    const { corners, ...facts } = await inspectPicture(rawPayload)
    expect([facts, corners.slice(0, 2)]).toEqual([{ format: 'jpeg', width: 256, height: 192 }, ['red', 'green']])
    expect((await thumb(server, 'no.pdf')).statusCode).toBe(204)
    expect(await program.starts()).toHaveLength(1)
    await using without = await testApp({ files })
    expect((await thumb(without, 'a.pdf')).statusCode).toBe(204)
  })
})
