import { join } from 'node:path'
import type { Answer, Files, World } from './world.ts'

/** A user's operation, with what must be on the disk before and after it. */
export interface Operation {
  readonly name: string
  readonly before: Files
  /** Undefined if the effect is not in the served folder. */
  readonly after?: Files
  /** Paths that no longer exist after success. */
  readonly gone?: readonly string[]
  /** Content that may be lost, because the operation replaces or deletes it. */
  readonly given?: readonly string[]
  /** Which calls fail: those on the served folder, or on the daemon's own data. */
  readonly where: 'root' | 'data'
  /** Preparation before the fault, such as moving something to the trash. @returns an argument for `act` */
  prepare?(world: World): Promise<string>
  act(world: World, prepared: string): Promise<Answer>
  /** How a client retries after a refusal; by default with the same call. */
  resume?(world: World, refused: Answer): Promise<Answer>
  /** Checks effects outside the served folder, after a restart. */
  isDone?(world: World, answer: Answer): Promise<boolean>
}

const big = (letter: string) => `${letter}\n`.repeat(100_000)
const [OLD, NEW, ONE, TWO, THREE] = ['old', 'brand new', 'one', 'two', 'three'].map(big) as [
  string,
  string,
  string,
  string,
  string,
]
const FOLDER: Files = { 'box/one': ONE, 'box/deep/two': TWO, 'box/deep/three': THREE }
const at = (folder: string): Files =>
  Object.fromEntries(Object.entries(FOLDER).map(([name, content]) => [join(folder, name), content]))

const move = (from: string, to: string, action = 'rename') =>
  `/api/resources/${from}?action=${action}&destination=/${to}`

/** The id of the first item in the trash. */
async function trashed(world: World, path: string): Promise<string> {
  await world.ask('DELETE', `/api/resources/${path}?trash=true`)
  const items = JSON.parse((await world.ask('GET', '/api/trash')).text) as readonly { readonly id: string }[]
  return items[0]?.id ?? 'nothing was trashed'
}

const NOT_BEGUN = 'not begun'

async function upload(world: World): Promise<Answer> {
  const begun = await world.ask('POST', '/api/tus/file?override=true', {
    headers: { 'Upload-Length': String(NEW.length) },
  })
  if (begun.status !== 201) return { ...begun, text: NOT_BEGUN }
  const half = Math.floor(NEW.length / 2)
  const first = await sendPart(world, 0, half)
  return first.status === 204 ? await sendPart(world, half, NEW.length) : first
}

async function resumeUpload(world: World, refused: Answer): Promise<Answer> {
  if (refused.text === NOT_BEGUN) return await upload(world)
  const known = await world.ask('HEAD', '/api/tus/file')
  return await sendPart(world, Number(known.headers.get('upload-offset')), NEW.length)
}

async function sendPart(world: World, start: number, end: number): Promise<Answer> {
  return await world.ask('PATCH', '/api/tus/file?override=true', {
    body: NEW.slice(start, end),
    headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(start) },
  })
}

const setting = async (world: World): Promise<number> =>
  (JSON.parse((await world.ask('GET', '/api/settings')).text) as { minimumPasswordLength: number })
    .minimumPasswordLength

async function setPasswordLength(world: World, length: number): Promise<Answer> {
  const settings = JSON.parse((await world.ask('GET', '/api/settings')).text) as object
  return await world.ask('PUT', '/api/settings', {
    body: JSON.stringify({ ...settings, minimumPasswordLength: length }),
    headers: { 'Content-Type': 'application/json' },
  })
}

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'save',
    where: 'root',
    before: { file: OLD },
    after: { file: NEW },
    given: [OLD],
    act: async (world) => await world.ask('PUT', '/api/resources/file', { body: NEW }),
  },
  {
    name: 'upload',
    where: 'root',
    before: { file: OLD },
    after: { file: OLD, 'sub/new': NEW },
    act: async (world) => await world.ask('POST', '/api/resources/sub/new', { body: NEW }),
  },
  {
    name: 'upload in parts',
    where: 'root',
    before: { file: OLD },
    after: { file: NEW },
    given: [OLD],
    act: upload,
    resume: resumeUpload,
  },
  {
    name: 'new folder',
    where: 'root',
    before: { file: OLD },
    after: { file: OLD, 'sub/': '' },
    act: async (world) => await world.ask('POST', '/api/resources/sub/'),
  },
  {
    name: 'rename',
    where: 'root',
    before: FOLDER,
    after: at('new'),
    gone: ['box'],
    act: async (world) => await world.ask('PATCH', move('box', 'new/box')),
    prepare: async (world) => (await world.ask('POST', '/api/resources/new/')).text,
  },
  {
    name: 'move to another disk',
    where: 'root',
    before: FOLDER,
    after: at('usb'),
    gone: ['box'],
    act: async (world) => await world.ask('PATCH', move('box', 'usb/box')),
    // The copies may already exist.
    resume: async (world) => await world.ask('PATCH', `${move('box', 'usb/box')}&override=true`),
  },
  {
    name: 'copy',
    where: 'root',
    before: FOLDER,
    after: { ...FOLDER, ...at('usb') },
    act: async (world) => await world.ask('PATCH', move('box', 'usb/box', 'copy')),
  },
  {
    name: 'delete',
    where: 'root',
    before: FOLDER,
    after: {},
    gone: ['box'],
    given: [ONE, TWO, THREE],
    act: async (world) => await world.ask('DELETE', '/api/resources/box'),
  },
  {
    name: 'move to the trash',
    where: 'root',
    before: FOLDER,
    gone: ['box'],
    after: {},
    act: async (world) => await world.ask('DELETE', '/api/resources/box?trash=true'),
  },
  {
    name: 'trash on another disk',
    where: 'root',
    before: at('usb'),
    gone: ['usb/box'],
    after: {},
    act: async (world) => await world.ask('DELETE', '/api/resources/usb/box?trash=true'),
  },
  {
    name: 'restore from the trash',
    where: 'root',
    before: FOLDER,
    after: FOLDER,
    prepare: async (world) => await trashed(world, 'box'),
    act: async (world, id) => await world.ask('POST', `/api/trash/${id}`),
  },
  {
    name: 'empty the trash',
    where: 'root',
    before: FOLDER,
    after: {},
    gone: ['box'],
    given: [ONE, TWO, THREE],
    prepare: async (world) => await trashed(world, 'box'),
    act: async (world) => await world.ask('DELETE', '/api/trash'),
  },
  {
    name: 'sign in',
    where: 'data',
    before: {},
    act: async (world) => await world.signIn(),
    isDone: async (world, { text }) =>
      (await world.ask('GET', '/api/resources/', { headers: { 'X-Auth': text } })).status === 200,
  },
  {
    name: 'sign out',
    where: 'data',
    before: {},
    prepare: async (world) => (await world.signIn()).text,
    act: async (world, token) => {
      const answer = await world.ask('POST', '/api/logout', { headers: { 'X-Auth': token } })
      const after = await world.ask('GET', '/api/resources/', { headers: { 'X-Auth': token } })
      // After signing out, the token must not work.
      return answer.status < 300 && after.status === 200 ? { ...answer, status: 599 } : answer
    },
  },
  {
    name: 'change a setting',
    where: 'data',
    before: {},
    prepare: async (world) => String((await setting(world)) === 13 ? 14 : 13),
    act: async (world, length) => {
      const answer = await setPasswordLength(world, Number(length))
      return { ...answer, text: length }
    },
    isDone: async (world, { text }) => (await setting(world)) === Number(text),
  },
]
