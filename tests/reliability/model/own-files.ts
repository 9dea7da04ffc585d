import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RenameOutcome } from '../../../src/domain/files/renames/renames.ts'
import { type ModelWorld, PATIENCE } from './model-world.ts'

const JSON_BODY = { 'Content-Type': 'application/json' }
const RENAMED = 40

/** Files whose exact content is known at each moment: counters that all clients change, and files of one client. */
export interface OwnFiles {
  act(random: () => number): Promise<void>
  /** What is wrong; call it while nothing changes them. */
  problems(): string[]
}

/** A number in a file that all clients increase with If-Match: no acknowledged increase may be lost. */
export async function counter({
  world,
  name,
}: {
  readonly world: ModelWorld
  readonly name: string
}): Promise<OwnFiles> {
  const path = join(world.root, name)
  await world.ask('POST', `/api/resources/${name}`, { body: '0' })
  let [acknowledged, unclear] = [0, 0]
  return {
    async act() {
      const before = await world.ask('GET', `/api/raw/${name}`)
      const tag = before.headers.get('etag')
      if (before.status !== 200 || tag === null) return
      const body = String(Number(before.text) + 1)
      const { status } = await world.ask('PUT', `/api/resources/${name}`, { body, headers: { 'If-Match': tag } })
      if (status >= 200 && status < 300) acknowledged += 1
      else if (status === 0 || status >= 500) unclear += 1
    },
    problems() {
      if (!existsSync(path)) return [`${name} is gone`]
      const found = Number(readFileSync(path, 'utf8'))
      const most = acknowledged + unclear
      if (found >= acknowledged && found <= most) return []
      return [`${name} is ${found}: ${acknowledged} increases were acknowledged, ${unclear} more may have been made`]
    },
  }
}

/** Files of one client, which it replaces and deletes. */
export function replacedFiles({ world, client }: { readonly world: ModelWorld; readonly client: string }): OwnFiles {
  const possible = new Map<string, readonly string[]>()
  let turn = 0
  return {
    async act(random) {
      turn += 1
      const name = `p/${client}-${Math.floor(random() * 10)}`
      const before = possible.get(name) ?? ['absent']
      const after = random() < 0.2 ? 'absent' : `${client} ${turn}\n`.repeat(1 + Math.floor(random() * 5000))
      possible.set(name, [...before, after])
      const path = `/api/resources/${name}`
      const { status } =
        after === 'absent'
          ? await world.ask('DELETE', path)
          : await world.ask('POST', `${path}?override=true`, { body: after })
      if (status >= 200 && status < 300) possible.set(name, [after])
      else if (status > 0 && status < 500) possible.set(name, before)
    },
    problems: () =>
      [...possible].flatMap(([name, allowed]) => {
        const content = readdirSync(join(world.root, 'p')).includes(name.slice(2))
          ? readFileSync(join(world.root, name), 'utf8')
          : 'absent'
        return allowed.includes(content) ? [] : [`${name} is not what was acknowledged`]
      }),
  }
}

/** A folder whose files one client renames in cycles: either all have their new names, or all their old ones. */
export async function renamedFiles({
  world,
  client,
}: {
  readonly world: ModelWorld
  readonly client: string
}): Promise<OwnFiles> {
  const folder = `r/${client}`
  const names = Array.from({ length: RENAMED }, (_, index) => `f${index}`)
  for (const name of names) await world.ask('POST', `/api/resources/${folder}/${name}`, { body: `content ${name}` })
  const whole = JSON.stringify(names.map((name) => `content ${name}`).toSorted())
  /** The reply has named, or would have, entries that could not be renamed: the others have their new names. */
  let isPartial = false
  /** Content by name: what may be there. */
  let possible: readonly ReadonlyMap<string, string>[] = [new Map(names.map((name) => [name, `content ${name}`]))]
  return {
    async act(random) {
      const [before] = possible
      if (before === undefined || possible.length > 1) return
      const from = [...before.keys()].toSorted(() => random() - 0.5).slice(0, 10 + Math.floor(random() * 30))
      const renames = from.map((name, index) => ({ from: name, to: from[(index + 1) % from.length] ?? name }))
      const after = new Map(before)
      for (const { from: old, to } of renames) after.set(to, before.get(old) ?? '')
      possible = [before, after]
      const body = JSON.stringify({ renames })
      const begun = performance.now()
      const { status, text } = await world.ask('POST', `/api/rename/${folder}`, { body, headers: JSON_BODY })
      if (status === 200) {
        const { failed } = JSON.parse(text) as RenameOutcome
        if (failed.length === 0) possible = [after]
        else isPartial = true
      } else if (status > 0 && status < 500) possible = [before]
      // A server was away for so long that entries may have been refused, and nobody has read which.
      else if (performance.now() - begun >= PATIENCE) isPartial = true
    },
    problems() {
      const found = new Map<string, string>()
      for (const name of readdirSync(join(world.root, folder)))
        if (!name.endsWith('.fm-tmp')) found.set(name, readFileSync(join(world.root, folder, name), 'utf8'))
      const match = possible.find(
        (map) => map.size === found.size && [...map].every(([name, text]) => found.get(name) === text),
      )
      if (match === undefined) {
        possible = [found]
        if (isPartial && JSON.stringify([...found.values()].toSorted()) === whole) {
          isPartial = false
          return []
        }
        const contents = new Set(found.values())
        return [
          `${folder}: ${found.size} entries with ${contents.size} contents after a batch rename of ${RENAMED}, or names of others`,
        ]
      }
      possible = [match]
      isPartial = false
      return []
    },
  }
}
