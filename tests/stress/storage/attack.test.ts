import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isFilemgrError } from '../../../src/domain/errors.ts'
import { below, ROOT, type VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import type { RootId } from '../../../src/domain/ids.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { mountOf, Root } from '../../../src/domain/server/root.ts'
import { mountRoots } from '../../../src/storage/mounted-roots.ts'
import { StagedNames } from '../../../src/storage/reserved-names.ts'
import { openLocalStorage } from '../../../src/storage/local/local-storage.ts'
import { storagePathOf, type Storage } from '../../../src/storage/storage.ts'
import { found, path } from '../../contract/storage/view.ts'
import { openDescriptors } from '../../contract/storage/local-world.ts'
import { isLong } from '../../helpers/stress-size.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { ATTACKED, type Attacked } from './attack-operations.ts'
import { AttackWorld, SECRET } from './attack-world.ts'

/** How long each operation runs under each attacker. */
const MILLISECONDS = isLong ? 500 : 200
const CONTROL_MILLISECONDS = 20_000

type Attacker = readonly [program: string, ...first: string[]]

const scripted = (): Attacker => [process.execPath, fileURLToPath(new URL('./attacker.ts', import.meta.url))]
const compiled = (folder: string): Attacker => {
  const program = join(folder, 'attacker')
  execFileSync('cc', ['-O2', '-o', program, join(import.meta.dirname, 'attacker.c')])
  return [program]
}

/** The program swaps ten times as often, by one system call. Without a compiler the script has to do. */
const hasCompiler = spawnSync('cc', ['--version']).status === 0
const attackers: [string, (folder: string) => Attacker, Opened][] = [
  ['a script', scripted, openServed],
  ...(hasCompiler ? [['a program', compiled, openOther] as [string, typeof compiled, Opened]] : []),
]

describe.each(attackers)('while %s exchanges a folder for a link to the outside', (_, attackerIn, open) => {
  /** One storage for all operations: one for each would start and end its threads each time. */
  const used = new AsyncDisposableStack()
  let around: string
  let attacker: Attacker
  let storage: Storage
  let top: VirtualPath

  beforeAll(async () => {
    around = used.use(await tempFolder()).path
    attacker = attackerIn(used.use(await tempFolder()).path)
    ;({ storage, top } = await open(around, used))
  })

  afterAll(async () => await used.disposeAsync())

  it('code that checks a path before it uses it is led outside, so the attack works', async () => {
    using world = new AttackWorld()
    await using _attack = await startAttack(world, attacker)
    const end = Date.now() + CONTROL_MILLISECONDS
    let hasEscaped = false
    while (!hasEscaped && Date.now() < end) hasEscaped = readNaively(world) === SECRET
    expect(hasEscaped).toBe(true)
  })

  it.each(ATTACKED)('$name stays inside', async (attacked) => {
    using world = new AttackWorld(around)
    using scope = await storage.openScope(storagePathOf(below(top, path(`/${relative(around, world.root)}`))), 'inside')
    await attacked.run(scope, 0)
    // The operation and this search start threads, which keep descriptors of their own.
    await found(scope, '/', 'x')
    const before = openDescriptors()
    {
      await using _attack = await startAttack(world, attacker, attacked.folder)
      const end = Date.now() + MILLISECONDS
      for (let turn = 1; Date.now() < end; turn += 1) {
        expect(await isSecretMet(attacked, async () => await attacked.run(scope, turn))).toBe(false)
        await setImmediate()
      }
    }
    expect(world.outsideIsWhole).toBe(true)
    // Files that were just read stay open for a second.
    await expect.poll(openDescriptors).toBeLessThanOrEqual(before)
  })
})

/** A storage, and where the attacked folder is in it. */
type Opened = (
  around: string,
  held: AsyncDisposableStack,
) => Promise<{ readonly storage: Storage; readonly top: VirtualPath }>

async function openServed(around: string, held: AsyncDisposableStack) {
  return { storage: held.use(await openLocalStorage(around)), top: ROOT }
}

/** The attacked folder is in another root, whose record changes with every look at it. */
async function openOther(around: string, held: AsyncDisposableStack) {
  const files = await openLocalStorage(held.use(await tempFolder()).path)
  const root = { ...defaultsOf(Root), id: 'other' as RootId, name: 'Other', location: around }
  let turn = 0
  const storage = mountRoots({
    files,
    roots: () => [{ ...root, name: `Other ${(turn += 1)}`, trashDays: turn % 30 }],
    open: async () => await openLocalStorage(around),
    staged: async () => new StagedNames(),
    onCloseError: (error) => {
      throw error
    },
  })
  return { storage: held.use(storage), top: mountOf(root.id) }
}

async function isSecretMet({ isSecret }: Attacked, run: () => Promise<unknown>): Promise<boolean> {
  try {
    const answer = await run()
    return isSecret?.(answer) ?? false
  } catch (error) {
    // The operation was refused, or the attacker had moved the name away.
    if (!isFilemgrError(error) || error.code === 'INTERNAL') throw error
    return false
  }
}

/** The naive way: checks where the path leads, then opens it. */
function readNaively(world: AttackWorld): string {
  try {
    const file = join(world.root, 'swap/file')
    return realpathSync(file).startsWith(`${world.root}/`) ? readFileSync(file, 'utf8') : ''
  } catch {
    return ''
  }
}

async function startAttack(world: AttackWorld, [program, ...first]: Attacker, folder = '.'): Promise<AsyncDisposable> {
  const names = ['swap', 'other'].map((name) => join(world.root, folder, name))
  const child = spawn(program, [...first, ...names], { stdio: 'ignore' })
  await once(child, 'spawn')
  const [swapped = ''] = names
  while (!lstatSync(swapped, { throwIfNoEntry: false })?.isSymbolicLink()) await setImmediate()
  const exit = once(child, 'exit')
  return {
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      // Until it ends, its last rename could disturb the clean-up.
      await exit
    },
  }
}
