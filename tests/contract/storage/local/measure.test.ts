import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LocalWorld } from '../local-world.ts'
import { path } from '../view.ts'

it('measuring counts a link as a file of its own, and nothing behind it', async () => {
  await using world = await LocalWorld.open('follow')
  writeFileSync(join(world.outside, 'large'), 'x'.repeat(1000))
  symlinkSync('../outside', join(world.root, 'link'))
  expect(await world.scope.measure(path('/'))).toEqual({ bytes: 10, files: 1 })
  expect(await world.scope.measure(path('/link'))).toEqual({ bytes: 10, files: 1 })
})

it('measuring leaves protected paths out', async () => {
  const closed: string[] = []
  const options = { protectedPaths: () => closed }
  await using world = await LocalWorld.open('inside', options, (root) => {
    mkdirSync(join(root, 'data'))
    writeFileSync(join(root, 'data/store.json'), '{}')
    writeFileSync(join(root, 'a.txt'), 'a')
    closed.push(join(root, 'data'))
  })
  expect(await world.scope.measure(path('/'))).toEqual({ bytes: 1, files: 1 })
})
