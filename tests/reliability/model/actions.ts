import { join } from 'node:path'
import { isOver, type Job } from '../../../src/domain/automation/job.ts'
import type { Answer } from '../world.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { contentOf, type Expectations, namesBelow } from './expectations.ts'
import type { ModelWorld } from './model-world.ts'

/** What the clients share. */
export interface Session {
  readonly world: ModelWorld
  readonly expected: Expectations
  readonly random: () => number
  /** Folders that exist, or did a moment ago, as paths from the root: `u/…` and `usb/u/…`. */
  folders(): readonly string[]
  /** Public link that takes files for the folder `u/in`. */
  readonly link: string
  /** Records what was wrong besides files. */
  report(problem: string): void
  /** Counts acknowledged changes. */
  acknowledged: number
  /** Every path that a move or removal without a good end has touched. */
  readonly unclear: Set<string>
  /** Addresses of resumable uploads that are not complete. */
  readonly unfinished: Set<string>
}

export type Action = (session: Session) => Promise<void>

const ASYNC = { Prefer: 'respond-async' }

function isDone({ status }: Answer): boolean {
  return status >= 200 && status < 300
}

/** True if nobody knows whether the operation took place. 503 is an answer, but what had begun may go on. */
function isUnclear({ status }: Answer): boolean {
  return status === 0 || status >= 500
}

function pick<T>({ random }: Pick<Session, 'random'>, list: readonly T[]): T | undefined {
  return list[Math.floor(random() * list.length)]
}

function noteSent(session: Session, names: readonly string[], answer: Answer): void {
  for (const name of names)
    session.expected.note(name, isDone(answer) ? 'stored' : isUnclear(answer) ? 'maybe' : 'refused')
  if (isDone(answer)) session.acknowledged += names.length
}

const upload: Action = async (session) => {
  const folder = pick(session, session.folders())
  const name = session.expected.newName(session.random)
  const method = session.random() < 0.3 ? 'PUT' : 'POST'
  session.expected.note(name, 'maybe')
  const answer = await session.world.ask(method, `/api/resources/${folder}/${name}`, { body: contentOf(name) })
  noteSent(session, [name], answer)
}

const uploadInParts: Action = async (session) => {
  const { world, expected, random, unfinished } = session
  const name = expected.newName(random)
  const path = `/api/tus/${pick(session, session.folders())}/${name}`
  const content = contentOf(name)
  expected.note(name, 'maybe')
  unfinished.add(path)
  const begun = await world.ask('POST', path, { headers: { 'Upload-Length': String(content.length) } })
  if (!isDone(begun)) return
  const half = Math.floor(content.length / 2)
  const first = await sendPart(world, path, content, 0, half)
  if (isDone(first)) await sleep(random() * 500)
  const answer = isDone(first) ? await sendPart(world, path, content, half, content.length) : first
  // Its folder may have been moved away with the first part: it is not stored, and nothing else is promised.
  if (!isDone(answer)) return
  unfinished.delete(path)
  noteSent(session, [name], answer)
}

async function sendPart(world: ModelWorld, path: string, content: string, start: number, end: number): Promise<Answer> {
  return await world.ask('PATCH', path, {
    body: content.slice(start, end),
    headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(start) },
  })
}

const uploadMany: Action = async (session) => {
  const { world, expected, random } = session
  const names = Array.from({ length: 5 }, () => expected.newName(random))
  const body = new FormData()
  for (const name of names) {
    expected.note(name, 'maybe')
    body.append('files', new Blob([contentOf(name)]), name)
  }
  const answer = await world.ask('POST', `/api/upload/${pick(session, session.folders())}`, { body })
  if (answer.status !== 200) return
  const results = JSON.parse(answer.text) as readonly { readonly path: string; readonly status: number }[]
  for (const { path, status } of results) if (names.includes(path)) noteSent(session, [path], { ...answer, status })
}

const sendByLink: Action = async (session) => {
  const { world, expected, random, link } = session
  const name = expected.newName(random)
  const content = contentOf(name)
  expected.note(name, 'maybe')
  const headers = { 'Upload-Length': String(content.length) }
  const begun = await world.ask('POST', `/api/public/tus/${link}/${name}`, { visitor: true, headers })
  const location = begun.headers.get('location')
  if (location === null) return
  session.unfinished.add(location)
  const answer = await world.ask('PATCH', location, {
    visitor: true,
    body: content,
    headers: { 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': '0' },
  })
  if (!isDone(answer)) return
  session.unfinished.delete(location)
  noteSent(session, [name], answer)
}

const newFolder: Action = async (session) => {
  const folders = session.folders()
  if (folders.length > 60) return
  await session.world.ask('POST', `/api/resources/${pick(session, folders)}/d${Math.floor(session.random() * 1e6)}/`)
}

/** Moves a folder or a file: into another folder, under a new name, or into a folder that exists. */
const move: Action = async (session) => {
  const { world, random } = session
  const from = random() < 0.5 ? movable(session) : fileBelow(session)
  const into = pick(session, session.folders())
  if (from === undefined || into === undefined) return
  const isFile = from.endsWith('.txt')
  const merge = !isFile && random() < 0.4
  const last = from.split('/').at(-1) ?? ''
  const to = merge ? into : `${into}/${isFile ? last : `m${Math.floor(random() * 1e6)}`}`
  const query = `?action=rename&destination=/${to}${merge ? '&override=true' : ''}`
  await settled(session, await world.ask('PATCH', `/api/resources/${from}${query}`, { headers: ASYNC }), [from, to])
}

const trash: Action = async (session) => {
  const from = session.random() < 0.4 ? movable(session) : fileBelow(session)
  if (from === undefined) return
  const answer = await session.world.ask('DELETE', `/api/resources/${from}?trash=true`, { headers: ASYNC })
  await settled(session, answer, [from, '.filemgr-trash'])
}

const restore: Action = async (session) => {
  const listed = await session.world.ask('GET', '/api/trash')
  if (listed.status !== 200) return
  const item = pick(session, JSON.parse(listed.text) as readonly { readonly id: string; readonly path: string }[])
  if (item === undefined) return
  const answer = await session.world.ask('POST', `/api/trash/${item.id}`, { headers: ASYNC })
  await settled(session, answer, [item.path.slice(1), '.filemgr-trash'])
}

/** Waits for the job, if it is one; cancels some. @param touched paths where files may be twice after a bad end */
async function settled(session: Session, answer: Answer, touched: readonly string[]): Promise<void> {
  const end = answer.status === 202 ? await endOf(session, (JSON.parse(answer.text) as Job).id) : answer
  if (end === 'done' || (typeof end === 'object' && isDone(end))) session.acknowledged += 1
  else if (typeof end === 'string' || isUnclear(end) || end.text.includes('moved, except'))
    noteUnclear(session, touched)
}

/** What is there now may be twice, and what is there when everything has ended: then it is looked at again. */
function noteUnclear({ world, expected, unclear }: Session, touched: readonly string[]): void {
  for (const path of touched) {
    unclear.add(path)
    expected.allowTwice(namesBelow(join(world.root, path)))
  }
}

async function endOf({ world, random }: Session, id: string): Promise<Job['state']> {
  if (random() < 0.1) {
    await sleep(random() * 300)
    await world.ask('DELETE', `/api/jobs/${id}`)
  }
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await world.ask('GET', `/api/jobs/${id}`)
    const job = answer.status === 200 ? (JSON.parse(answer.text) as Job) : undefined
    if (job !== undefined && isOver(job)) return job.state
    if (answer.status === 404) return 'failed'
    await sleep(100)
  }
  return 'running'
}

const read: Action = async (session) => {
  const { world, expected, random } = session
  const name = expected.someName(random)
  const path = name === undefined ? undefined : fileBelow(session, name)
  if (path === undefined) return
  const answer = await world.ask('GET', `/api/raw/${path}`)
  const content = contentOf(path.split('/').at(-1) ?? '')
  if (answer.status === 200 && answer.text !== content) session.report(`a download of ${path} was damaged`)
}

/** Packs a folder into an archive elsewhere, and extracts that into a folder of its own. */
const pack: Action = async (session) => {
  const { world, random } = session
  const folder = pick(session, session.folders())
  const parts = folder?.split('/') ?? []
  if (folder === undefined || parts.length < 2) return
  const id = Math.floor(random() * 1e9)
  const names = [parts.at(-1) ?? '']
  const archive = { names, destination: `/z/${id}.zip` }
  const json = { 'Content-Type': 'application/json' }
  const packed = await world.ask('POST', `/api/compress/${parts.slice(0, -1).join('/')}`, {
    body: JSON.stringify(archive),
    headers: json,
  })
  if (packed.status !== 200) return
  await world.ask('POST', `/api/resources/z/${id}/`)
  const body = JSON.stringify({ destination: `/z/${id}` })
  await world.ask('POST', `/api/extract/z/${id}.zip`, { body, headers: json })
  await world.ask('DELETE', `/api/resources/z/${id}.zip`)
  await world.ask('DELETE', `/api/resources/z/${id}`)
}

const copy: Action = async (session) => {
  const { world, random } = session
  const to = `${random() < 0.5 ? 'z' : 'usb/z'}/c${Math.floor(random() * 1e9)}`
  const query = `?action=copy&destination=/${to}`
  const answer = await world.ask('PATCH', `/api/resources/${pick(session, session.folders())}${query}`)
  if (isDone(answer)) session.acknowledged += 1
  await world.ask('DELETE', `/api/resources/${to}`)
}

const measure: Action = async (session) => {
  await session.world.ask('GET', `/api/measure/${pick(session, session.folders())}`)
}

/** A folder that may be moved: not the ones at the top. */
function movable(session: Session): string | undefined {
  return pick(
    session,
    session.folders().filter((path) => !['u', 'usb/u', 'u/in'].includes(path)),
  )
}

/** The path of a file in some folder. */
function fileBelow(session: Session, wanted?: string): string | undefined {
  const folder = pick(session, session.folders())
  if (folder === undefined) return undefined
  const name = wanted ?? pick(session, namesBelow(join(session.world.root, folder)))
  return name && `${folder}/${name}`
}

/** With how often each is chosen. */
export const ACTIONS: readonly (readonly [weight: number, action: Action])[] = [
  [10, upload],
  [5, uploadInParts],
  [4, uploadMany],
  [3, sendByLink],
  [4, newFolder],
  [9, move],
  [4, trash],
  [4, restore],
  [5, read],
  [1, pack],
  [1, copy],
  [1, measure],
]
