/** Checks that the licence of every package we distribute, directly or inside the built page, allows it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  readonly license?: string
}

const ALLOWED = [
  ...['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'BlueOak-1.0.0'],
  ...['CC0-1.0', 'Python-2.0', 'Unlicense', 'Zlib'],
]

/** Tools under other licences: they only build or test, and none of their code is distributed. */
const TOOLS = /^node_modules\/(axe-core|caniuse-lite|lightningcss(-[a-z0-9-]+)?)$/

/** Separate shared libraries that npm installs and users may replace, as the LGPL requires. */
const SHARED_LIBRARIES = /^node_modules\/@img\/sharp-(libvips-[a-z0-9-]+|wasm32|win32-[a-z0-9]+)$/

/** Packages that state their licence only in their README. */
const LICENCES_FROM_README: Readonly<Record<string, string>> = { 'node_modules/combine-errors': 'MIT' }

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}

const problems = Object.entries(lock.packages)
  .filter(
    ([path, { license }]) =>
      path !== '' && !TOOLS.test(path) && !isAllowed(path, license ?? LICENCES_FROM_README[path]),
  )
  .map(([path, { license }]) => `${path}: ${license ?? 'no licence'}`)

for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1

function isAllowed(path: string, license: string | undefined): boolean {
  const allowed = SHARED_LIBRARIES.test(path) ? [...ALLOWED, 'LGPL-3.0-or-later'] : ALLOWED
  const choices = license?.replaceAll(/[()]/g, '').split(' OR ') ?? []
  return choices.some((choice) => choice.split(' AND ').every((part) => allowed.includes(part)))
}
