import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { LinkPolicy } from '../../../src/storage/storage.ts'
import { LocalWorld } from './local-world.ts'

export const SECRET = 'signing key'

/** A served folder that contains the data folder and a key of the daemon. */
export async function worldAround(links: LinkPolicy = 'inside') {
  const closed: string[] = []
  const world = await LocalWorld.open(links, { protectedPaths: () => closed }, (root) => {
    closed.push(join(root, 'home/data'), join(root, 'tls.key'))
    mkdirSync(join(root, 'home/data/uploads'), { recursive: true })
    writeFileSync(join(root, 'home/data/store.json'), SECRET)
    writeFileSync(join(root, 'home/notes.txt'), 'notes')
    writeFileSync(join(root, 'tls.key'), SECRET)
    writeFileSync(join(root, 'free.txt'), 'free')
  })
  return { world, data: join(world.root, 'home/data') }
}

export function expectUntouched(data: string): void {
  expect(readdirSync(data).sort()).toEqual(['store.json', 'uploads'])
  expect(readFileSync(join(data, 'store.json'), 'utf8')).toBe(SECRET)
}

export function expectForbidden(answers: Record<string, string>): void {
  const others = Object.entries(answers).filter(([, code]) => code !== 'FORBIDDEN')
  expect(Object.fromEntries(others)).toEqual({})
}
