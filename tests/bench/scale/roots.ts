import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDataFolder, FILEMGR, PASSWORD, startDaemon, type Daemon } from '../daemon.ts'
import { output } from '../processes.ts'
import { leastOf, type Scale } from './curve.ts'
import { addUsers, nameOf } from './stored-users.ts'

const USERS = 10_000
const FILES_OF_EACH = 20
const LISTINGS = 100

/** Roots in which ten thousand users live. */
export const roots: Scale = {
  name: 'roots, with 10,000 users in them',
  sizes: [2, 10, 100],
  async measure({ data, at }, size) {
    const folder = at(`roots-${size}-data`)
    createDataFolder(folder, data.root)
    addUsers(folder, USERS)
    addRoots(folder, at(`roots-${size}`), size)
    await using daemon = await startDaemon(folder, data.root)
    const user = nameOf(USERS - 1)
    const signIn = async () => await ask(daemon, 'POST', 'login', { body: { username: user, password: PASSWORD } })
    const token = await signIn()
    const list = async () => {
      for (let count = 0; count < LISTINGS; count += 1) await ask(daemon, 'GET', 'resources/', { token })
    }
    const change = async () => {
      const settings = JSON.parse(await ask(daemon, 'GET', 'settings', daemon)) as { rules: object[] }
      const rule = { allow: false, regex: false, path: `/none-${settings.rules.length}`, regexp: { raw: '' } }
      await ask(daemon, 'PUT', 'settings', { ...daemon, body: { ...settings, rules: [...settings.rules, rule] } })
      await ask(daemon, 'GET', 'resources/', { token })
    }
    return [
      ['start to /health', daemon.startSeconds, 's'],
      ['sign-in', await leastOf(5, async () => await seconds(signIn)), 's'],
      ['listing of "/"', ((await leastOf(5, async () => await seconds(list))) / LISTINGS) * 1000, 'ms'],
      ['change of a rule, and a listing', await leastOf(5, async () => await seconds(change)), 's'],
      ['`roots ls`', await leastOf(3, async () => await line(folder, 'roots', 'ls')), 's'],
      ['memory after', daemon.meter.memory(), 'MB'],
    ]
  },
}

/** Writes roots into a data folder while no daemon runs, and moves each user to one of them. */
function addRoots(data: string, folder: string, count: number): void {
  const store = join(data, 'store.json')
  const document = JSON.parse(readFileSync(store, 'utf8')) as { roots: object[]; users: object[] }
  const ids = Array.from({ length: count }, (_, index) => `root${index}`)
  for (const id of ids) {
    const location = join(folder, id)
    mkdirSync(location, { recursive: true })
    for (let file = 0; file < FILES_OF_EACH; file += 1) writeFileSync(join(location, `file ${file}.txt`), 'content')
    const values = { mountPoint: '', readOnly: false, followLinks: false, trashDays: 30, index: true, quota: 0 }
    document.roots.push({ ...values, id, name: id, location, hidden: [], warnAway: true })
  }
  const [admin, ...others] = document.users
  document.users = [admin ?? {}, ...others.map((user, index) => ({ ...user, root: ids[index % count] }))]
  writeFileSync(store, JSON.stringify(document))
}

interface Asked {
  readonly token?: string
  readonly body?: object
}

async function ask({ port }: Daemon, method: string, call: string, { token = '', body }: Asked): Promise<string> {
  const headers = { 'X-Auth': token, 'Content-Type': 'application/json' }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`http://127.0.0.1:${port}/api/${call}`, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${call} was answered with ${answer.status}: ${text}`)
  return text
}

async function line(folder: string, ...words: string[]): Promise<number> {
  return await seconds(async () => await output(FILEMGR, ['--data', folder, ...words]))
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
