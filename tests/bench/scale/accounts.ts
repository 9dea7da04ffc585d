import { createDataFolder, FILEMGR, PASSWORD, startDaemon, type Daemon } from '../daemon.ts'
import { output } from '../processes.ts'
import { leastOf, type Scale } from './curve.ts'
import { addUsers, nameOf } from './stored-users.ts'

const LINKS_OF_EACH = 10

/** Users with ten links each. */
export const accounts: Scale = {
  name: 'users, with ten links each',
  sizes: [100, 1000, 10_000],
  async measure({ data, at, longestBeside }, size) {
    const folder = at(`accounts-${size}-data`)
    createDataFolder(folder, data.root)
    addUsers(folder, size, { each: LINKS_OF_EACH, path: data.kilobyte() })
    await using daemon = await startDaemon(folder, data.root)
    const signIn = async () =>
      await seconds(async () => await post(daemon, 'login', { username: nameOf(size - 1), password: PASSWORD }))
    const change = async () => await seconds(async () => await changeSettings(daemon))
    const line = async (...words: string[]) =>
      await seconds(async () => await output(FILEMGR, ['--data', folder, ...words]))
    const signInSeconds = await leastOf(5, signIn)
    const changeSeconds = await leastOf(5, change)
    const longest = await leastOf(3, async () => await longestBeside(daemon, change))
    return [
      ['start to /health', daemon.startSeconds, 's'],
      ['sign-in', signInSeconds, 's'],
      ['change of a setting', changeSeconds, 's'],
      ['longest /health beside it', longest, 'ms'],
      ['`users ls`', await leastOf(3, async () => await line('users', 'ls')), 's'],
      ['`shares ls`', await leastOf(3, async () => await line('shares', 'ls')), 's'],
      ['memory after', daemon.meter.memory(), 'MB'],
    ]
  },
}

async function changeSettings(daemon: Daemon): Promise<void> {
  const address = `http://127.0.0.1:${daemon.port}/api/settings`
  const headers = { 'X-Auth': daemon.token, 'Content-Type': 'application/json' }
  const settings = (await (await fetch(address, { headers })).json()) as { branding: { name: string } }
  settings.branding.name += 'x'
  const answer = await fetch(address, { method: 'PUT', headers, body: JSON.stringify(settings) })
  if (!answer.ok) throw new Error(`a change of the settings was answered with ${answer.status}: ${await answer.text()}`)
}

async function post({ port }: Daemon, call: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/${call}`, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${call} was answered with ${answer.status}: ${await answer.text()}`)
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}
