import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { Rule } from '../../../src/domain/access/rule.ts'
import { readImageHead } from '../../../src/domain/files/media/image-head.ts'
import { inspectPicture, quarters, withExif } from '../../helpers/samples/pictures.ts'
import { testApp, type Client, type TestApp } from '../../helpers/api/test-app.ts'

const MAY = { create: true, download: true }

async function serve(): Promise<TestApp> {
  const picture = quarters(400, 200)
  const jpeg = await picture.jpeg().toBuffer()
  const upended = await sharp(jpeg).rotate(180).jpeg().toBuffer()
  const thumbnail = await quarters(160, 120).jpeg().toBuffer()
  return await testApp({
    files: {
      'sea.jpg': withExif(jpeg, 6, thumbnail),
      'plain.jpg': jpeg,
      'p3.png': await picture
        .clone()
        .withIccProfile('p3')
        .withExif({ IFD0: { Artist: 'Ada' } })
        .png()
        .toBuffer(),
      'deep.png': await picture.clone().toColourspace('rgb16').png().toBuffer(),
      'exact.webp': await picture
        .clone()
        .withExif({ IFD0: { Artist: 'Ada' } })
        .webp({ lossless: true })
        .toBuffer(),
      'ink.jpg': await picture.clone().toColourspace('cmyk').jpeg().toBuffer(),
      'moving.webp': await sharp([jpeg, upended], { join: { animated: true } })
        .webp()
        .toBuffer(),
      'anim.gif': await picture.clone().gif().toBuffer(),
      'broken.jpg': 'no picture',
      'secret/a.jpg': jpeg,
      'folder.jpg/': '',
    },
  })
}

async function edit(client: Client, path: string, body: object): Promise<{ status: number; path?: string }> {
  const answer = await client.ask('POST', `/api/pictures/${path}`, { payload: JSON.stringify(body) })
  return { status: answer.statusCode, ...(answer.statusCode === 200 && answer.json<{ path: string }>()) }
}

describe('an edited copy of a picture', () => {
  it('is turned and cropped, upright, with its EXIF data but without the thumbnail', async () => {
    await using server = await serve()
    const ann = await server.user('ann', MAY)
    const crop = { left: 0, top: 0, width: 200, height: 200 }
    expect(await edit(ann, 'sea.jpg', { turns: 3, crop })).toEqual({ status: 200, path: '/sea (edited).jpg' })
    const bytes = await readFile(join(server.root, 'sea (edited).jpg'))
    // Upright it was turned to the right; three turns more, and it is as it was stored. Its left half remains.
    expect(await inspectPicture(bytes)).toMatchObject({
      format: 'jpeg',
      width: 200,
      height: 200,
      corners: ['red', 'red', 'blue', 'blue'],
    })
    const head = readImageHead(bytes)
    expect([head?.orientation ?? 1, head?.embedded]).toEqual([1, undefined])
    const original = await readFile(join(server.root, 'sea.jpg'))
    expect(readImageHead(original)).toMatchObject({ orientation: 6, embedded: {} })
  })

  it('keeps colour profile, depth and losslessness', async () => {
    await using server = await serve()
    const ann = await server.user('ann', MAY)
    for (const name of ['p3.png', 'deep.png', 'exact.webp'])
      expect((await edit(ann, name, { turns: 2 })).status).toBe(200)
    const facts = async (name: string) => await sharp(await readFile(join(server.root, name))).metadata()
    const [before, after] = [await facts('p3.png'), await facts('p3 (edited).png')]
    expect(after.icc).toEqual(before.icc)
    expect(after.exif?.includes('Ada')).toBe(true)
    const pixel = async (name: string, left: number, top: number) =>
      await sharp(await readFile(join(server.root, name)), { ignoreIcc: true })
        .extract({ left, top, width: 1, height: 1 })
        .raw()
        .toBuffer()
    expect(await pixel('p3 (edited).png', 399, 199)).toEqual(await pixel('p3.png', 0, 0))
    expect((await facts('deep (edited).png')).depth).toBe('ushort')
    expect(await pixel('exact (edited).webp', 0, 0)).toEqual(await pixel('exact.webp', 399, 199))
  })

  it('gets the next free name, at once for many', async () => {
    await using server = await serve()
    const ann = await server.user('ann', MAY)
    const made = await Promise.all([1, 2, 3].map(async (turns) => await edit(ann, 'plain.jpg', { turns })))
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await readdir(server.root)).filter((name) => name.startsWith('plain')).toSorted()).toEqual([
      'plain (edited)(1).jpg',
      'plain (edited)(2).jpg',
      'plain (edited).jpg',
      'plain.jpg',
    ])
  })

  it('is refused for what cannot be edited, and for a part outside of the picture', async () => {
    await using server = await serve()
    const ann = await server.user('ann', MAY)
    for (const name of ['ink.jpg', 'moving.webp', 'anim.gif', 'broken.jpg', 'folder.jpg'])
      expect([name, (await edit(ann, name, { turns: 1 })).status]).toEqual([name, 415])
    const outside = { left: 1, top: 0, width: 200, height: 400 }
    expect((await edit(ann, 'plain.jpg', { turns: 1, crop: outside })).status).toBe(400)
    expect((await edit(ann, 'plain.jpg', { turns: 4 })).status).toBe(400)
    expect((await edit(ann, 'none.jpg', { turns: 1 })).status).toBe(404)
    expect((await readdir(server.root)).some((name) => name.includes('(edited)'))).toBe(false)
  })

  it('needs the rights to read and to create, and a quota with room for it', async () => {
    await using server = await serve()
    const deny: Rule = { regex: false, allow: false, path: '/secret', regexp: null }
    const reader = await server.user('reader', { create: false, download: true })
    const writer = await server.user('writer', { create: true, download: false })
    const ruled = await server.user('ruled', MAY, { rules: [deny] })
    const full = await server.user('full', MAY, { quotaFiles: 1 })
    expect((await edit(reader, 'plain.jpg', { turns: 1 })).status).toBe(403)
    expect((await edit(writer, 'plain.jpg', { turns: 1 })).status).toBe(403)
    expect((await edit(ruled, 'secret/a.jpg', { turns: 1 })).status).toBe(403)
    expect((await edit(full, 'plain.jpg', { turns: 1 })).status).toBe(507)
    expect((await readdir(server.root)).some((name) => name.includes('(edited)'))).toBe(false)
  })
})
