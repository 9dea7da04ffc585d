import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cliReference } from './generators/cli-reference.ts'
import { englishCatalogue } from './generators/field-texts.ts'
import { openapiReference } from './generators/openapi.ts'
import { settingsReference } from './generators/settings-reference.ts'

/** Generated files and their generators. */
const GENERATORS: Readonly<Record<string, () => string | Promise<string>>> = {
  'config/reference/cli.md': cliReference,
  'config/reference/openapi.json': openapiReference,
  'config/reference/settings.md': settingsReference,
  'ui/src/i18n/catalogues/en.json': englishCatalogue,
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Writes the generated files, or only lists outdated ones (`--check`). */
async function main(checkOnly: boolean): Promise<void> {
  const outdated: string[] = []
  for (const [name, generate] of Object.entries(GENERATORS)) {
    const text = await generate()
    const present = await readIfThere(`${ROOT}${name}`)
    if (present === text) continue
    if (checkOnly) outdated.push(name)
    else await writeFile(`${ROOT}${name}`, text)
  }
  if (outdated.length === 0) return
  console.error(`outdated: ${outdated.join(', ')}; run "npm run generate" and commit the result`)
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
