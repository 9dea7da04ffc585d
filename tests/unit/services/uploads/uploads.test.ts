import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../src/domain/accounts/actor.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'
import { make } from '../../../helpers/make.ts'
import { append, begun, contentOf, offsetOf, onlyRecord } from './begun-upload.ts'

const HOUR = 60 * 60 * 1000

describe('after a daemon was killed', () => {
  it('while it moved the file into place, the upload is known to be finished', async () => {
    await using world = await begun('abcdef')
    expect(await contentOf(world)).toBe('abcdef')
    expect(await offsetOf(world)).toBe(6)
    await expect(append(world, 3, '')).rejects.toThrow(errorLike('CONFLICT'))
    expect(await append(world, 6, '')).toBe(6)
    world.context.clock.move(HOUR)
    await expect(offsetOf(world)).rejects.toThrow(errorLike('NOT_FOUND'))
    expect(await world.records.list()).toEqual([])
  })

  it('just before it moved the file into place, the upload can still be cancelled, and expires', async () => {
    await using world = await begun('abc')
    await world.leave({ finished: world.context.clock.now() })
    const { unfinished } = world.start()
    await unfinished.remove(world.actor, (await onlyRecord(world)).id)
    expect([await world.names(), await world.records.list()]).toEqual([[], []])
    await using other = await begun('abc')
    await writeFile(join(other.context.root, 'a.txt'), 'other')
    await other.leave({ finished: other.context.clock.now() })
    other.context.clock.move(25 * HOUR)
    expect(await other.start().unfinished.sweep()).toBe(1)
    expect([await other.names(), await contentOf(other)]).toEqual([['a.txt'], 'other'])
  })

  it('just before it moved the file into place, the file is moved when the client asks for the offset', async () => {
    await using world = await begun('abc')
    await append(world, 3, 'de')
    const { staged } = await onlyRecord(world)
    await writeFile(join(world.context.root, staged), 'abcdef')
    await world.leave({ finished: world.context.clock.now() })
    expect(await offsetOf(world)).toBe(6)
    expect(await contentOf(world)).toBe('abcdef')
    expect(await world.names()).toEqual(['a.txt'])
  })

  it('before a part could be compared with its checksum, that part does not count', async () => {
    await using world = await begun('abXX')
    await world.leave({ unverified: 2 })
    expect(await offsetOf(world)).toBe(2)
    expect(await append(world, 2, 'cd')).toBe(4)
    expect(await offsetOf(world)).toBe(4)
    expect(await append(world, 4, 'ef')).toBe(6)
    expect(await contentOf(world)).toBe('abcdef')
  })

  it('while an upload was begun again, the sweep removes the bytes of the old one', async () => {
    await using world = await begun('abc')
    const { id } = await onlyRecord(world)
    await world.leave({ id: 'x'.repeat(16), created: world.context.clock.now() + 1, staged: '.abcdefghijkl.fm-tmp' })
    expect((await world.records.list()).map((record) => record.id)).toContain(id)
    const { unfinished } = world.start()
    expect(await unfinished.sweep()).toBe(2)
    expect(await world.records.list()).toEqual([])
    expect(await world.names()).toEqual([])
  })
})

describe('a part', () => {
  it('does not count until it was compared with its checksum', async () => {
    await using world = await begun('ab')
    await using upload = await world.start().uploads.resume(world.actor, '/a.txt')
    const noted: unknown[] = []
    async function* body() {
      noted.push((await onlyRecord(world)).unverified)
      yield Buffer.from('cd')
    }
    const digest = createHash('sha1').update('cd').digest('base64')
    expect(await upload.append(2, Readable.from(body()), { checksum: { algorithm: 'sha1', digest } })).toBe(4)
    expect([...noted, (await onlyRecord(world)).unverified]).toEqual([2, undefined])
  })

  it('ends with its request', async () => {
    await using world = await begun('ab')
    await using upload = await world.start().uploads.resume(world.actor, '/a.txt')
    const ended = upload.append(2, Readable.from([Buffer.from('cd')]), { signal: AbortSignal.abort() })
    await expect(ended).rejects.toThrow(errorLike('CANCELLED'))
  })

  it('is not stopped by a session that has expired and never took part', async () => {
    await using world = await begun('abc')
    const { uploads } = world.start()
    await using upload = await uploads.resume(world.actor, '/a.txt')
    const stranger = { ...world.actor, isExpired: true, session: { family: 'other' } } as unknown as Actor
    const refused = uploads.resume(stranger, '/a.txt').catch((error: unknown) => error)
    async function* body() {
      await refused
      yield Buffer.from('def')
    }
    expect(await upload.append(3, Readable.from(body()))).toBe(6)
    expect(await refused).toEqual(errorLike('UNAUTHENTICATED'))
  })

  it('that is sent to the bucket needs the right to it at that moment, and none is left of a finished upload', async () => {
    await using world = await begun('abc')
    await using upload = await world.start().uploads.resume(world.actor, '/a.txt')
    await expect(upload.parts()).rejects.toThrow(errorLike('NOT_IMPLEMENTED'))
    await world.context.store.update((draft) => {
      for (const user of draft.users) user.perm.create = false
    })
    await expect(upload.parts()).rejects.toThrow(errorLike('FORBIDDEN'))
    await using ended = await begun('abcdef')
    await using finished = await ended.start().uploads.resume(ended.actor, '/a.txt')
    expect(await finished.parts()).toEqual([])
  })
})

describe('an upload', () => {
  it('of which more bytes have arrived than it has is removed', async () => {
    await using world = await begun('abc')
    await writeFile(join(world.context.root, (await onlyRecord(world)).staged), 'abcdefgh')
    await expect(offsetOf(world)).rejects.toThrow(errorLike('TOO_LARGE'))
    expect([await world.names(), await world.records.list()]).toEqual([[], []])
  })

  it('is not begun under a name that is hidden from its user', async () => {
    await using world = await begun('abc', { owner: { hideDotfiles: true } })
    const hidden = world.start().uploads.begin(world.actor, '/.hidden', { length: 1, override: false })
    await expect(hidden).rejects.toThrow(errorLike('FORBIDDEN'))
  })
})

describe('an upload whose path was taken meanwhile', () => {
  it('does not keep its user from beginning others', async () => {
    await using world = await begun('abc')
    const { uploads } = world.start()
    const begin = async (path: string) => {
      await using upload = await uploads.begin(world.actor, path, { length: 1, override: false })
      return upload
    }
    const names = Array.from({ length: 31 }, (_, index) => `/${index}`)
    for (const name of names) {
      const upload = await begin(name)
      await writeFile(join(world.context.root, name), 'other')
      await using resumed = await uploads.resume(world.actor, name)
      await expect(resumed.append(0, Readable.from([Buffer.from('x')]))).rejects.toThrow(errorLike('CONFLICT'))
      expect(upload.state.offset).toBe(0)
    }
    await begin('/more')
    expect((await world.records.list()).map(({ path }) => path)).toEqual(['/a.txt', '/more'])
    for (const name of names) expect(await readFile(join(world.context.root, name), 'utf8')).toBe('other')
    await begin('/and more')
  })

  it('is not reported as complete, and may be discarded', async () => {
    await using world = await begun('abc')
    await writeFile(join(world.context.root, 'a.txt'), 'other')
    await expect(append(world, 3, 'def')).rejects.toThrow(errorLike('CONFLICT'))
    await expect(offsetOf(world)).rejects.toThrow(errorLike('CONFLICT'))
    await using upload = await world.start().uploads.resume(world.actor, '/a.txt')
    await upload.discard()
    expect(await contentOf(world)).toBe('other')
    expect(await world.names()).toEqual(['a.txt'])
  })
})

describe('the list of unfinished uploads', () => {
  it('and their removal are for administrators', async () => {
    await using world = await begun('abc')
    const { unfinished } = world.start()
    const { id } = await onlyRecord(world)
    const bob = { kind: 'user', user: () => make.user() } as unknown as Actor
    await expect(unfinished.list(bob)).rejects.toThrow(errorLike('FORBIDDEN'))
    await expect(unfinished.remove(bob, id)).rejects.toThrow(errorLike('FORBIDDEN'))
    expect(await unfinished.list(world.actor)).toMatchObject([{ id, username: 'admin', path: '/a.txt', offset: 3 }])
    await unfinished.remove(world.actor, id)
    expect([await world.names(), await unfinished.list(world.actor)]).toEqual([[], []])
    await expect(unfinished.remove(world.actor, id)).rejects.toThrow(errorLike('NOT_FOUND'))
  })

  it('does not name those that are finished, which cannot be removed', async () => {
    await using world = await begun('abcdef')
    const { unfinished } = world.start()
    expect(await unfinished.list(world.actor)).toEqual([])
    const { id } = await onlyRecord(world)
    await expect(unfinished.remove(world.actor, id)).rejects.toThrow(errorLike('NOT_FOUND'))
    expect(await contentOf(world)).toBe('abcdef')
    expect(await onlyRecord(world)).toMatchObject({ id })
  })
})

describe('the maintenance of uploads', () => {
  it('forgets finished uploads after an hour, and does not touch their files', async () => {
    await using world = await begun('abcdef')
    const { unfinished } = world.start()
    world.context.clock.move(HOUR - 1000)
    expect(await unfinished.sweep()).toBe(0)
    world.context.clock.move(2000)
    expect(await unfinished.sweep()).toBe(1)
    expect(await world.records.list()).toEqual([])
    expect(await contentOf(world)).toBe('abcdef')
  })

  it('discards all unfinished uploads', async () => {
    await using world = await begun('abc')
    await world.start().unfinished.discardAll()
    expect([await world.names(), await world.records.list()]).toEqual([[], []])
  })

  it('tries again to save the records that the disk had no room for', async () => {
    await using world = await begun('abc')
    let asked = 0
    world.records.flush = async () => void (asked += 1)
    await world.start().unfinished.sweep()
    expect(asked).toBe(1)
  })

  it('continues after an upload that it cannot discard, and reports that at the end', async () => {
    await using world = await begun('abc')
    await writeFile(join(world.context.root, 'file'), '')
    const { created } = (await world.records.list())[0] ?? { created: 0 }
    await world.leave({ id: 'x'.repeat(16), created: created - 1, scope: '/file', path: '/b.txt' })
    world.context.clock.move(25 * HOUR)
    await expect(world.start().unfinished.sweep()).rejects.toThrow('1 could not be swept')
    expect((await world.records.list()).map(({ id }) => id)).toEqual(['x'.repeat(16)])
    expect(await world.names()).toEqual(['file'])
  })

  it('stops when it is aborted', async () => {
    await using world = await begun('abc')
    await expect(world.start().unfinished.sweep(AbortSignal.abort())).rejects.toThrow(errorLike('CANCELLED'))
  })
})
