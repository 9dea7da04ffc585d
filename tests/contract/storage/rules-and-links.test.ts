import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compileRules } from '../../../src/domain/access/rule-check.ts'
import type { Rule } from '../../../src/domain/access/rule.ts'
import { compilePattern } from '../../../src/platform/validation/pattern.ts'
import { storagePathOf, type LinkPolicy, type Scope } from '../../../src/storage/storage.ts'
import { archiveOf, allThatIsShown, codesOfAllOperations } from './every-door.ts'
import { LocalWorld } from './local-world.ts'
import { codeOf, content, found, list, namesIn, path, viewOf, walked } from './view.ts'

const SECRET = 'hidden text'
const deny = (ofPath: string): Rule => ({ regex: false, allow: false, path: ofPath, regexp: null })
const allow = (ofPath: string): Rule => ({ ...deny(ofPath), allow: true })

/** A scope with rules; `pub/deny` is denied, and links lead there. */
async function worldWithRules(rules: readonly Rule[], links: LinkPolicy = 'inside') {
  const world = await LocalWorld.open(links, {}, (root) => {
    mkdirSync(join(root, 'pub/deny/sub'), { recursive: true })
    writeFileSync(join(root, 'pub/deny/secret.txt'), SECRET)
    writeFileSync(join(root, 'pub/open.txt'), 'open')
    writeFileSync(join(root, 'free.txt'), 'free')
    symlinkSync('pub/deny', join(root, 'to-denied'))
    symlinkSync('pub/deny/secret.txt', join(root, 'to-file'))
    symlinkSync('pub/deny/none', join(root, 'to-nothing'))
    symlinkSync('pub', join(root, 'to-pub'))
  })
  const scope = await world.storage.openScope(storagePathOf(path('/')), links, compileRules(rules, compilePattern))
  return {
    world,
    scope,
    async [Symbol.asyncDispose]() {
      scope[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

function expectForbidden(answers: Record<string, string>): void {
  const others = Object.entries(answers).filter(([, code]) => code !== 'FORBIDDEN')
  expect(Object.fromEntries(others)).toEqual({})
}

it.each(['/to-denied', '/to-pub/deny'])('a rule applies through the link %s as well', async (link) => {
  await using opened = await worldWithRules([deny('/pub/deny')])
  const { scope, world } = opened
  expectForbidden(await codesOfAllOperations(scope, link, 'secret.txt', '/taken'))
  expect(readdirSync(join(world.root, 'pub/deny')).sort()).toEqual(['secret.txt', 'sub'])
  expect(readFileSync(join(world.root, 'pub/deny/secret.txt'), 'utf8')).toBe(SECRET)
})

it('links to a denied folder are hidden like the folder', async () => {
  const rules = [deny('/pub/deny')]
  await using opened = await worldWithRules(rules)
  const { scope } = opened
  const all = await allThatIsShown(scope, 'to-', { rules })
  expect(all).toContain('to-pub')
  expect(all).not.toMatch(/to-denied|to-file|to-nothing|secret|hidden text/)
  const archive = await archiveOf(scope, ['/to-denied', '/to-file', '/to-pub/deny/secret.txt'], { rules })
  expect(archive).not.toMatch(/secret|hidden text/)
})

it('a link to what a rule denies can be neither moved nor removed', async () => {
  await using opened = await worldWithRules([deny('/pub/deny')])
  const { scope, world } = opened
  const mode = { replace: false, folderMode: 0o750 }
  for (const link of ['/to-denied', '/to-file', '/to-nothing']) {
    expect([link, await codeOf(scope.rename(path(link), path('/taken'), mode))]).toEqual([link, 'FORBIDDEN'])
    expect([link, await codeOf(scope.remove(path(link)))]).toEqual([link, 'FORBIDDEN'])
  }
  expect(readdirSync(world.root)).toEqual(['free.txt', 'pub', 'to-denied', 'to-file', 'to-nothing', 'to-pub'])
})

it('denied entries of a folder stay denied when the folder is reached by a link', async () => {
  const rules = [deny('/pub/deny')]
  await using opened = await worldWithRules(rules)
  const { scope } = opened
  expect(await namesIn(scope, '/to-pub', { rules })).toEqual(['open.txt'])
  expect(await walked(scope, '/to-pub', { rules })).toEqual(['/to-pub/open.txt'])
  expect(await found(scope, '/to-pub', 'secret', { rules })).toEqual([])
  expect(await archiveOf(scope, ['/to-pub'], { rules })).not.toMatch(/secret|hidden text/)
  expect(await codeOf(content(scope, '/to-nothing'))).toBe('FORBIDDEN')
})

it('a share applies the rules of its owner to the targets of links', async () => {
  const rules = [deny('/pub/deny')]
  await using opened = await worldWithRules(rules)
  using share = await opened.scope.within(path('/to-pub'))
  const view = { rules, rulePrefix: path('/to-pub') }
  expect(await codeOf(content(share, '/deny/secret.txt'))).toBe('FORBIDDEN')
  expect(await namesIn(share, '/', view)).toEqual(['open.txt'])
  expect(await archiveOf(share, ['/'], view)).not.toMatch(/secret|hidden text/)
})

it('allowed entries of a denied folder are reached through a link, too', async () => {
  const rules = [deny('/'), allow('/pub/deny/sub'), allow('/to-denied')]
  await using opened = await worldWithRules(rules)
  const { scope } = opened
  expect(await codeOf(list(scope, '/to-denied/sub', { rules }))).toBe('no error')
  expect(await codeOf(scope.makeFolder(path('/to-denied/sub/a/b'), 0o755))).toBe('no error')
  expect(await codeOf(list(scope, '/to-denied', { rules }))).toBe('FORBIDDEN')
})

it('rules do not apply outside of the scope, where links may lead', async () => {
  await using opened = await worldWithRules([deny('/pub/deny')], 'follow')
  const { scope, world } = opened
  writeFileSync(join(world.outside, 'a.txt'), 'outside')
  symlinkSync(world.outside, join(world.root, 'out'))
  symlinkSync(join(world.root, 'pub/deny'), join(world.outside, 'back'))
  expect(await content(scope, '/out/a.txt')).toBe('outside')
  expect(await codeOf(content(scope, '/out/back/secret.txt'))).toBe('FORBIDDEN')
  expect(await scope.whereIs(path('/out/a.txt'))).toBeUndefined()
})

it('the storage tells where a path leads before anything exists there', async () => {
  await using opened = await worldWithRules([])
  const { scope } = opened
  const paths = ['/', '/to-pub', '/to-pub/new/deeper', '/to-denied/secret.txt', '/free.txt']
  expect(await Promise.all(paths.map(async (each) => await whereIs(scope, each)))).toEqual([
    '/',
    '/pub',
    '/pub/new/deeper',
    '/pub/deny/secret.txt',
    '/free.txt',
  ])
  expect(await scope.stat(path('/to-pub'), viewOf('/to-pub'))).toMatchObject({ isSymlink: true })
})

async function whereIs(scope: Scope, name: string): Promise<string | undefined> {
  return await scope.whereIs(path(name))
}

it.each(['inside', 'follow'] as const)(
  'a link does not lead out of another scope that it comes to (%s)',
  async (links) => {
    await using world = await LocalWorld.open('inside', {}, (root) => {
      for (const folder of ['ann/docs', 'ann/box', 'bob', 'carl']) mkdirSync(join(root, folder), { recursive: true })
      writeFileSync(join(root, 'carl/secret.txt'), SECRET)
      for (const folder of ['docs', 'box']) writeFileSync(join(root, `ann/${folder}/a.txt`), 'a')
      for (const folder of ['docs', 'box']) symlinkSync('../../carl/secret.txt', join(root, `ann/${folder}/out`))
      symlinkSync('docs/a.txt', join(root, 'ann/link'))
    })
    using own = await world.storage.openScope(storagePathOf(path('/ann')), 'inside')
    using into = await world.storage.openScope(storagePathOf(path('/bob')), links)
    const mode = { replace: false, folderMode: 0o750, into }
    const leftOut: string[] = []
    const work = { leftOut: (name: string) => void leftOut.push(name) }
    for (const each of ['/docs', '/link']) expect(await own.rename(path(each), path(each), mode)).toBe(false)
    await own.move(path('/docs'), path('/docs'), mode, work)
    await own.copy(path('/box'), path('/box'), mode, work)
    expect(leftOut).toEqual(['out', 'out'])
    expect(readdirSync(join(world.root, 'bob/docs'))).toEqual(['a.txt'])
    expect(readdirSync(join(world.root, 'bob/box'))).toEqual(['a.txt'])
    expect(readdirSync(join(world.root, 'ann/docs'))).toEqual(['out'])
  },
)
