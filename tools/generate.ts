import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiReference } from './generators/api-reference.ts'
import { cliReference } from './generators/cli-reference.ts'
import { englishCatalogue } from './generators/field-texts.ts'
import { manPages, manualDate } from './generators/man-pages.ts'
import { openapiReference } from './generators/openapi.ts'
import { settingsReference } from './generators/settings-reference.ts'
import { packageVersion } from '../src/platform/version.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MANUAL = 'docs/reference/man'

/** The files made from schemas and commands, by path in the repository; `undefined` for a file to be deleted. */
async function generated(): Promise<Record<string, string | undefined>> {
  const [changelog, present] = await Promise.all(
    ['CHANGELOG.md', `${MANUAL}/filemgr.1`].map(async (name) => (await readIfThere(`${ROOT}${name}`)) ?? ''),
  )
  const manual = await manPages(manualDate(packageVersion(), changelog ?? '', present ?? ''))
  const written = await readdir(`${ROOT}${MANUAL}`).catch(() => [])
  return {
    'docs/reference/api.md': apiReference(),
    'docs/reference/cli.md': await cliReference(),
    'docs/reference/openapi.json': await openapiReference(),
    'docs/reference/settings.md': settingsReference(),
    'ui/src/i18n/catalogues/en.json': englishCatalogue(),
    ...Object.fromEntries([...written, ...Object.keys(manual)].map((name) => [`${MANUAL}/${name}`, manual[name]])),
  }
}

/** Writes the generated files, or, with --check, names the outdated ones. */
async function main(checkOnly: boolean): Promise<void> {
  const outdated: string[] = []
  for (const [name, text] of Object.entries(await generated())) {
    const path = `${ROOT}${name}`
    const present = await readIfThere(path)
    if (present === text) continue
    if (checkOnly) outdated.push(name)
    else if (text === undefined) await rm(path)
    else {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
  }
  if (outdated.length === 0) return
  console.error(`outdated: ${outdated.join(', ')}; run "npm run generate" and commit what it writes`)
  process.exitCode = 1
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

await main(process.argv.includes('--check'))
