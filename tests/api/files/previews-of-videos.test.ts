import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foreignProgram } from '../../helpers/api/foreign-program.ts'
import { quarters, inspectPicture } from '../../helpers/samples/pictures.ts'
import { testApp } from '../../helpers/api/test-app.ts'
import { eventually } from '../../helpers/patience.ts'

const VIDEO = Buffer.from('\0\0\0\x20ftypisom'.padEnd(600, '\0'), 'latin1')
const HEIC = Buffer.from('\0\0\0\x18ftypheic'.padEnd(600, '\0'), 'latin1')
const CORNERS = ['red', 'green', 'blue', 'yellow']
const FRAME = { 'frame.jpg': await quarters(1600, 800).jpeg().toBuffer() }
const SHOWS_FRAME = 'exec cat "$here/frame.jpg"'

describe('a video', () => {
  it('has one of its frames as preview, which is made once', async () => {
    await using program = await foreignProgram(SHOWS_FRAME, { files: FRAME })
    await using server = await testApp({ foreign: program.decoders, files: { 'clip.mp4': VIDEO } })
    const ann = await server.user('ann', { download: true })
    const thumb = await ann.ask('GET', '/api/preview/thumb/clip.mp4?inline=true')
    expect(thumb.headers).toMatchObject({ 'content-type': 'image/jpeg', vary: 'Accept' })
    expect(await inspectPicture(thumb.rawPayload)).toEqual({
      format: 'jpeg',
      width: 256,
      height: 256,
      corners: CORNERS,
    })
    await ann.ask('GET', '/api/preview/thumb/clip.mp4')
    expect(await program.starts()).toHaveLength(1)
    const big = await ann.ask('GET', '/api/preview/big/clip.mp4')
    expect(await inspectPicture(big.rawPayload)).toMatchObject({ format: 'jpeg', width: 1080, height: 540 })
  })

  it('takes its turn: frames are made one at a time', async () => {
    const script = `mkdir "$here/busy" || exit 1; sleep 0.2; rmdir "$here/busy"; ${SHOWS_FRAME}`
    await using program = await foreignProgram(script, { files: FRAME })
    const files = { '1.mp4': VIDEO, '2.mp4': VIDEO, '3.mp4': VIDEO }
    await using server = await testApp({ foreign: program.decoders, files })
    const ann = await server.user('ann', { download: true })
    const answers = Object.keys(files).map(async (name) => await ann.ask('GET', `/api/preview/thumb/${name}`))
    expect((await Promise.all(answers)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  it.each([
    ['exit 1', 501],
    ['echo "<svg xmlns=\'http://www.w3.org/2000/svg\'/>"', 501],
    ['echo no picture', 501],
    ['true', 501],
  ])('whose program fails by %j is answered with %i', async (script, status) => {
    await using program = await foreignProgram(script)
    await using server = await testApp({ foreign: program.decoders, files: { 'clip.mp4': VIDEO } })
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/preview/thumb/clip.mp4')
    expect(answer.statusCode).toBe(status)
  })

  it('has no preview without such a program, or when thumbnails are disabled', async () => {
    await using server = await testApp({ files: { 'clip.mp4': VIDEO } })
    const ann = await server.user('ann', { download: true })
    const answer = await ann.ask('GET', '/api/preview/thumb/clip.mp4')
    expect([answer.statusCode, answer.body]).toEqual([501, '501 Not Implemented\n'])

    await using program = await foreignProgram(SHOWS_FRAME, { files: FRAME })
    const options = { disableThumbnails: true }
    await using other = await testApp({ foreign: program.decoders, options, files: { 'clip.mp4': VIDEO } })
    expect((await (await other.admin()).ask('GET', '/api/preview/thumb/clip.mp4')).statusCode).toBe(501)
  })
})

describe('a HEIC photo', () => {
  it('is converted to JPEG by a program that can, and is sent as it is without one', async () => {
    await using program = await foreignProgram('exec cat "$here/frame.jpg" > "$4"', {
      name: 'heif-convert',
      files: FRAME,
    })
    await using server = await testApp({ foreign: program.decoders, files: { 'photo.heic': HEIC } })
    const shown = await (await server.admin()).ask('GET', '/api/preview/thumb/photo.heic?inline=true')
    expect(shown.headers['content-type']).toBe('image/jpeg')
    expect(await inspectPicture(shown.rawPayload)).toMatchObject({ width: 256, corners: CORNERS })

    await using plain = await testApp({ files: { 'photo.heic': HEIC } })
    const answer = await (await plain.admin()).ask('GET', '/api/preview/thumb/photo.heic')
    expect([answer.statusCode, answer.rawPayload]).toEqual([200, HEIC])
  })
})

describe('an attacker', () => {
  it.each(['#EXTM3U\n#EXTINF:1,\n/etc/passwd\n', 'ffconcat version 1.0\nfile /etc/passwd\n'])(
    'cannot read another file by a playlist that is named like a video: %j',
    async (playlist) => {
      await using program = await foreignProgram(SHOWS_FRAME, { files: FRAME })
      await using server = await testApp({ foreign: program.decoders, files: { 'list.mp4': playlist } })
      const answer = await (await server.admin()).ask('GET', '/api/preview/thumb/list.mp4')
      expect(answer.statusCode).toBe(501)
      expect(await program.starts()).toEqual([])
    },
  )

  it('gains nothing by swapping a video for a link while its frame is made', async () => {
    const script = 'while [ ! -d "$here/go" ]; do sleep 0.05; done; exec cat'
    await using program = await foreignProgram(script)
    const files = { 'bob/clip.mp4': VIDEO, 'secret.jpg': FRAME['frame.jpg'] }
    await using server = await testApp({ foreign: program.decoders, files })
    const bob = await server.user('bob', { download: true }, { scope: '/bob' })
    const answer = bob.ask('GET', '/api/preview/thumb/clip.mp4')
    await eventually(async () => expect(await program.starts()).toHaveLength(1))
    await rm(join(server.root, 'bob/clip.mp4'))
    await symlink(join(server.root, 'secret.jpg'), join(server.root, 'bob/clip.mp4'))
    await mkdir(join(program.folder, 'go'))
    // The program got the video, not the link, and a video is no picture.
    expect((await answer).statusCode).toBe(501)
  })

  it('sees no frame of a denied video, nor any without the permission to download', async () => {
    await using program = await foreignProgram(SHOWS_FRAME, { files: FRAME })
    await using server = await testApp({ foreign: program.decoders, files: { 'clip.mp4': VIDEO } })
    const url = '/api/preview/thumb/clip.mp4'
    expect((await (await server.admin()).ask('GET', url)).statusCode).toBe(200)
    const rules = [{ regex: false, allow: false, path: '/clip.mp4', regexp: null }]
    expect((await (await server.user('ann', { download: true }, { rules })).ask('GET', url)).statusCode).toBe(403)
    expect((await (await server.user('ben')).ask('GET', url)).statusCode).toBe(202)
  })
})
