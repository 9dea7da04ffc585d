import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PARTS, type TextPart } from '../../../../ui/src/i18n/parts.ts'
import { bundleOf, readModules } from '../../../helpers/unit/page-modules.ts'

const UI = join(import.meta.dirname, '../../../../ui/src')
const ROUTER = join(UI, 'app/router.tsx')
/** Parts that every screen has: the first, and those that the page fetches right after it. */
const ALWAYS: readonly string[] = ['first', 'actions', 'tools']

const modules = readModules(UI)
const english = JSON.parse(readFileSync(join(UI, 'i18n/catalogues/en.json'), 'utf8')) as Record<string, string>
const entries = [...new Set([...modules.values()].flatMap(({ fetched }) => fetched))]
const bundles = new Map(entries.map((entry) => [entry, [...bundleOf(entry, modules)]]))
const awaited = routeParts()

/** The parts that the route of each screen loads. */
function routeParts(): Map<string, string[]> {
  const code = modules.get(ROUTER)?.code ?? ''
  const routes = [...code.matchAll(/path: '([^']+)',([^{}]*?)import\('([^']+)'\)/g)]
  return new Map(
    routes.map(([, path = '', text = '', file = '']) => [
      resolve(UI, 'app', file),
      [...quoted(/texts: \[([^\]]*)\]/.exec(text)?.[1]), ...(path.startsWith('/settings') ? ['settings'] : [])],
    ]),
  )
}

function quoted(list = ''): string[] {
  return [...list.matchAll(/'(\w+)'/g)].map(([, word = '']) => word)
}

function partOf(id: string): string | undefined {
  const group = id.slice(0, id.indexOf('.'))
  return Object.keys(PARTS).find((part) => PARTS[part as TextPart].some((name) => name === group))
}

function partsUsedIn(file: string): string[] {
  const literals = [...(modules.get(file)?.code.matchAll(/['"`]([a-z]+\.[\w.]+)['"`]/g) ?? [])]
  return literals.flatMap(([, id = '']) => (id in english ? [partOf(id) ?? ''] : []))
}

/** Parts that are loaded whenever this module is shown: by its route, by itself, or by all its importers. */
function partsLoadedFor(entry: string, path: readonly string[] = []): Set<string> | undefined {
  if (path.includes(entry)) return undefined
  const waits = (bundles.get(entry) ?? []).flatMap((file) =>
    [...(modules.get(file)?.code.matchAll(/useTextPart\(([^)]*)\)/g) ?? [])].flatMap(([, parts]) => quoted(parts)),
  )
  const own = new Set([...ALWAYS, ...waits, ...(awaited.get(entry) ?? [])])
  if (awaited.has(entry)) return own
  const ways = entries
    .filter((other) => bundles.get(other)?.some((file) => modules.get(file)?.fetched.includes(entry)))
    .flatMap((other) => partsLoadedFor(other, [...path, entry]) ?? [])
  return ways.length === 0 ? own : own.union(ways.reduce((all, way) => all.intersection(way)))
}

describe('text parts', () => {
  it('are loaded by every screen and prompt that uses them', () => {
    expect(awaited.get(join(UI, 'admin/users/list/users-page.tsx'))).toEqual(
      expect.arrayContaining(['users', 'settings']),
    )
    const missing = entries.flatMap((entry) => {
      const loaded = partsLoadedFor(entry)
      const used = new Set((bundles.get(entry) ?? []).flatMap(partsUsedIn))
      return [...used]
        .filter((part) => loaded?.has(part) === false)
        .map((part) => `${entry.slice(UI.length + 1)} says texts of "${part}"`)
    })
    expect(missing).toEqual([])
  })
})
