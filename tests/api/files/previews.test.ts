import { execFile } from 'node:child_process'
import { rename, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../src/domain/files/resource.ts'
import { pngOfMeasures, quarters, inspectPicture, withExif } from '../../helpers/samples/pictures.ts'
import { testApp, type Client, type TestApp, type TestAppInput } from '../../helpers/api/test-app.ts'
import type { FileTree } from '../../helpers/temp-folder.ts'

const run = promisify(execFile)
const CORNERS = ['red', 'green', 'blue', 'yellow']
const BROWSER = { accept: 'image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8' }
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>'

async function samples(): Promise<FileTree> {
  const jpeg = await quarters(2400, 1200).jpeg().toBuffer()
  const camera = await sharp({ create: { width: 160, height: 120, channels: 3, background: '#dc1414' } })
    .jpeg()
    .toBuffer()
  return {
    'photo.jpg': jpeg,
    'turned.JPG': withExif(jpeg, 6),
    'camera.jpg': withExif(jpeg, 1, camera),
    'camera-turned.jpg': withExif(jpeg, 6, camera),
    'small.png': await quarters(60, 40).png().toBuffer(),
    'pic.tiff': await quarters(600, 400).tiff().toBuffer(),
    'print.tiff': await quarters(600, 400).toColourspace('cmyk').tiff({ compression: 'none' }).toBuffer(),
    'anim.gif': await quarters(60, 60).gif().toBuffer(),
    'vector.svg': SVG,
    'broken.jpg': 'no picture\n',
    'svg-as.png': SVG,
    'wide.png': pngOfMeasures(65_536, 10),
    'cut-early.jpg': jpeg.subarray(0, 200),
    'bomb.png': pngOfMeasures(50_000, 50_000),
    'empty.jpg': '',
    'note.txt': 'text',
    'folder/': '',
  }
}

async function serve(input: TestAppInput = {}): Promise<TestApp> {
  return await testApp({ ...input, files: { ...(await samples()), ...input.files } })
}

describe('a preview', () => {
  it('fills its square, or fits into it, rotated as EXIF says', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const ask = async (url: string) =>
      await inspectPicture((await ann.ask('GET', `/api/preview/${url}?inline=true`)).rawPayload)
    expect(await ask('thumb/photo.jpg')).toEqual({ format: 'jpeg', width: 256, height: 256, corners: CORNERS })
    expect(await ask('big/photo.jpg')).toEqual({ format: 'jpeg', width: 1080, height: 540, corners: CORNERS })
    expect(await ask('big/turned.JPG')).toMatchObject({
      width: 540,
      height: 1080,
      corners: ['blue', 'red', 'yellow', 'green'],
    })
    expect(await ask('big/small.png')).toEqual({ format: 'png', width: 60, height: 40, corners: CORNERS })
    for (const name of ['pic', 'print'])
      expect(await ask(`thumb/${name}.tiff`)).toMatchObject({ format: 'jpeg', width: 256, corners: CORNERS })
  })

  it('is WebP for browsers, and varies by their Accept header', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/preview/thumb/pic.tiff?inline=true', { headers: BROWSER })
    expect(await inspectPicture(answer.rawPayload)).toMatchObject({ format: 'webp', width: 256, corners: CORNERS })
    expect([answer.headers['content-type'], answer.headers.vary]).toEqual(['image/webp', 'Accept'])
    const avif = await ann.ask('GET', '/api/preview/thumb/pic.tiff', { headers: { accept: 'image/avif' } })
    expect(await inspectPicture(avif.rawPayload)).toMatchObject({ format: 'heif', corners: CORNERS })
    const refused = await ann.ask('GET', '/api/preview/thumb/pic.tiff', { headers: { accept: 'image/webp;q=0, */*' } })
    expect(await inspectPicture(refused.rawPayload)).toMatchObject({ format: 'jpeg' })
  })

  it('is the thumbnail of the camera for old clients, if both have the same orientation', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const ask = async (name: string, headers = {}) =>
      await inspectPicture((await ann.ask('GET', `/api/preview/thumb/${name}`, { headers })).rawPayload)
    expect(await ask('camera.jpg')).toMatchObject({ width: 160, height: 120 })
    expect(await ask('camera-turned.jpg')).toMatchObject({ width: 256, corners: ['blue', 'red', 'yellow', 'green'] })
    expect(await ask('camera.jpg', BROWSER)).toMatchObject({ width: 256, corners: CORNERS })
  })

  it('is made of panoramas and long screenshots, up to 100 megapixels', async () => {
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: '#1414dc' }, limitInputPixels: false })
    const files = {
      'panorama.jpg': await plain(25_000, 4000).jpeg().toBuffer(),
      'screenshot.png': await plain(1080, 30_000).png().toBuffer(),
      'line.png': await plain(1, 65_535).png().toBuffer(),
      'turned.jpg': withExif(await plain(60_000, 40).jpeg().toBuffer(), 6),
      'scan.tiff': await plain(12_000, 300).tiff().toBuffer(),
      'more.jpg': await plain(25_000, 4001).jpeg().toBuffer(),
    }
    await using server = await testApp({ files })
    const ann = await server.user('ann', { download: true })
    const ask = async (url: string) => {
      const { statusCode, rawPayload } = await ann.ask('GET', `/api/preview/${url}`, { headers: BROWSER })
      if (statusCode !== 200) return statusCode
      const { width, height, corners } = await inspectPicture(rawPayload)
      return [width, height, ...new Set(corners)]
    }
    for (const name of Object.keys(files).slice(0, -1))
      expect([name, await ask(`thumb/${name}`)]).toEqual([name, [256, 256, 'blue']])
    expect(await ask('big/panorama.jpg')).toEqual([1080, 173, 'blue'])
    expect(await ask('big/screenshot.png')).toEqual([39, 1080, 'blue'])
    expect(await ask('big/turned.jpg')).toEqual([1, 1080, 'blue'])
    expect([await ask('thumb/more.jpg'), await ask('big/more.jpg')]).toEqual([413, 413])
  })

  it('shows what there is of a JPEG that is cut off', async () => {
    const jpeg = await quarters(1600, 800).jpeg({ quality: 95 }).toBuffer()
    const files = {
      'cut.jpg': jpeg.subarray(0, jpeg.length * 0.6),
      'progressive.jpg': (await quarters(1600, 800).jpeg({ progressive: true }).toBuffer()).subarray(0, -200),
    }
    await using server = await testApp({ files })
    const ann = await server.user('ann', { download: true })
    for (const name of Object.keys(files))
      for (const size of ['thumb', 'big']) {
        const { statusCode, rawPayload } = await ann.ask('GET', `/api/preview/${size}/${name}`, { headers: BROWSER })
        expect([name, size, statusCode]).toEqual([name, size, 200])
        expect((await inspectPicture(rawPayload)).corners.slice(0, 2), name).toEqual(['red', 'green'])
      }
  })

  it('comes with the headers that old clients expect', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const shown = await ann.ask('GET', '/api/preview/thumb/small.png?inline=true&key=1')
    expect(shown.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `inline; filename="small.png"; filename*=utf-8''small.png`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
    })
    const saved = await ann.ask('GET', '/api/preview/big/small.png')
    expect(saved.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': `attachment; filename="small.png"; filename*=utf-8''small.png`,
    })
    const part = await ann.ask('GET', '/api/preview/thumb/small.png', { headers: { range: 'bytes=0-1' } })
    expect([part.statusCode, part.rawPayload.toString('hex')]).toEqual([206, 'ffd8'])
  })

  it('is neither sent again to clients that have it, nor made for them', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const url = '/api/preview/thumb/broken.jpg'
    await utimes(join(server.root, 'broken.jpg'), 1000, 1000)
    for (const headers of [{ 'if-modified-since': new Date(1_000_000).toUTCString() }, { 'if-none-match': '*' }])
      expect((await ann.ask('GET', url, { headers })).statusCode).toBe(304)
    const { headers } = await ann.ask('GET', '/api/preview/thumb/photo.jpg')
    const again = await ann.ask('GET', '/api/preview/thumb/photo.jpg', {
      headers: { 'if-none-match': String(headers.etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  it('is made again when another picture has the name, size and time of the old one', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const time = new Date('2024-01-02T03:04:05Z')
    const put = async (color: string) => {
      const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: color } })
        .png({ compressionLevel: 0 })
        .toBuffer()
      await writeFile(join(server.root, 'new.png'), bytes)
      await utimes(join(server.root, 'new.png'), time, time)
      await rename(join(server.root, 'new.png'), join(server.root, 'same.png'))
    }
    const color = async () =>
      (await inspectPicture((await ann.ask('GET', '/api/preview/thumb/same.png')).rawPayload)).corners[0]
    await put('#dc1414')
    expect(await color()).toBe('red')
    await put('#1414dc')
    expect(await color()).toBe('blue')
  })
})

describe('no preview is made of', () => {
  it.each([
    ['thumb/note.txt', 501],
    ['thumb/folder', 501],
    ['thumb/', 501],
    ['thumb/none.jpg', 404],
    ['thumb/broken.jpg', 415],
    ['thumb/cut-early.jpg', 415],
    ['big/empty.jpg', 415],
    ['thumb/wide.png', 413],
    ['thumb/bomb.png', 413],
    ['medium/photo.jpg', 400],
    ['THUMB/photo.jpg', 400],
  ])('%s, answered with %i', async (url, status) => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', `/api/preview/${url}?inline=true`)
    expect(answer.statusCode).toBe(status)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    if (status === 400) expect(answer.body).toMatch(/is not a valid PreviewSize, try \[thumb, big\]\)\n$/)
  })

  it('a file of more than 50 MiB, which is not even read', async () => {
    await using server = await serve({ files: { 'huge.jpg': Buffer.alloc(50 * 1024 * 1024 + 1) } })
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/preview/thumb/huge.jpg')).statusCode).toBe(413)
  })

  it.each(['anim.gif', 'vector.svg'])('%s, which is sent as it is', async (name) => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    const raw = await ann.ask('GET', `/api/raw/${name}`)
    const answer = await ann.ask('GET', `/api/preview/thumb/${name}?inline=true`)
    expect([answer.statusCode, answer.rawPayload]).toEqual([200, raw.rawPayload])
  })

  it('any picture when the options disable it', async () => {
    await using server = await serve({ options: { disableThumbnails: true, disablePreviewResize: true } })
    const ann = await server.user('ann', { download: true })
    const raw = await ann.ask('GET', '/api/raw/photo.jpg')
    for (const size of ['thumb', 'big'])
      expect((await ann.ask('GET', `/api/preview/${size}/photo.jpg`)).rawPayload).toEqual(raw.rawPayload)
  })

  it('a pipe, which is refused at once', async () => {
    await using server = await serve()
    await run('mkfifo', [join(server.root, 'pipe.jpg')])
    const ann = await server.user('ann', { download: true })
    expect((await ann.ask('GET', '/api/preview/thumb/pipe.jpg')).statusCode).toBe(403)
  })
})

describe('an attacker', () => {
  it('cannot run a script from an SVG that is shown as a preview (CVE-2021-37794)', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    for (const size of ['thumb', 'big']) {
      const answer = await ann.ask('GET', `/api/preview/${size}/vector.svg?inline=true`)
      expect(answer.headers['content-security-policy']).toMatch(/^sandbox; default-src 'none';/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('cannot have an SVG decoded, or shown as another type, by naming it like a picture', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    // A thumbnail is a JPEG whatever it is made of: nothing but the decoder can refuse it.
    for (const size of ['thumb', 'big']) {
      const answer = await ann.ask('GET', `/api/preview/${size}/svg-as.png?inline=true`)
      expect([answer.statusCode, answer.body]).toEqual([415, '415 Unsupported Media Type\n'])
    }
  })

  it('sees no preview without the right to download, nor whether there is a picture (CVE-2026-35606)', async () => {
    await using server = await serve()
    await (await server.admin()).ask('GET', '/api/preview/thumb/photo.jpg')
    const ann = await server.user('ann')
    for (const name of ['photo.jpg', 'none.jpg']) {
      const answer = await ann.ask('GET', `/api/preview/thumb/${name}`)
      expect([answer.statusCode, answer.body]).toEqual([202, '202 Accepted\n'])
    }
  })

  it('sees no preview that a rule denies, though it is in the cache', async () => {
    await using server = await serve()
    const { rawPayload } = await (await server.admin()).ask('GET', '/api/preview/thumb/photo.jpg')
    expect(rawPayload.length).toBeGreaterThan(0)
    const rules = [{ regex: false, allow: false, path: '/photo.jpg', regexp: null }]
    const ann = await server.user('ann', { download: true }, { rules })
    const answer = await ann.ask('GET', '/api/preview/thumb/photo.jpg')
    expect([answer.statusCode, answer.body]).toEqual([403, '403 Forbidden\n'])
  })

  it('sees nothing outside of the scope through a link (GHSA-239w-m3h6-ch8v)', async () => {
    await using server = await serve({ files: { 'bob/own.txt': '' } })
    await symlink(join(server.root, 'photo.jpg'), join(server.root, 'bob/link.jpg'))
    const bob = await server.user('bob', { download: true }, { scope: '/bob' })
    expect((await bob.ask('GET', '/api/preview/thumb/link.jpg')).statusCode).toBe(403)
  })

  it('sees no preview of what was removed, under any address', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true, delete: true })
    await ann.ask('GET', '/api/preview/thumb/photo.jpg')
    await ann.ask('DELETE', '/api/resources/photo.jpg')
    expect((await ann.ask('GET', '/api/preview/thumb/photo.jpg')).statusCode).toBe(404)
  })
})

describe('the dimensions of a picture', () => {
  const dimensions = async (client: Client, name: string) => {
    const { resolution } = (await client.ask('GET', `/api/resources/${name}?resolution=true`)).json<Resource>()
    return resolution
  }

  it('are sent on request, after rotation, without decoding it', async () => {
    await using server = await serve()
    const ann = await server.user('ann', { download: true })
    expect(await dimensions(ann, 'photo.jpg')).toEqual({ width: 2400, height: 1200 })
    expect(await dimensions(ann, 'turned.JPG')).toEqual({ width: 1200, height: 2400 })
    expect(await dimensions(ann, 'bomb.png')).toEqual({ width: 50_000, height: 50_000 })
    for (const name of ['broken.jpg', 'vector.svg', 'note.txt']) expect(await dimensions(ann, name)).toBeUndefined()
  })

  it.each(['photo.jpg', 'photo.jpg?resolution=false', '?resolution=true'])(
    'are not read for %s, which old clients ask for',
    async (url) => {
      await using server = await serve()
      const answer = await (await server.admin()).ask('GET', `/api/resources/${url}`)
      expect(answer.statusCode).toBe(200)
      expect(answer.body).not.toContain('resolution')
    },
  )

  it('are left out when the options disable them, and without the permission to download', async () => {
    await using server = await serve({ options: { disableImageResolutionCalc: true } })
    expect(await dimensions(await server.admin(), 'photo.jpg')).toBeUndefined()
    await using other = await serve()
    expect(await dimensions(await other.user('ann'), 'photo.jpg')).toBeUndefined()
  })
})
