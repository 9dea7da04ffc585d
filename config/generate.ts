import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cliReference } from './generators/cli-reference.ts'
import { openapiReference } from './generators/openapi.ts'
import { settingsReference } from './generators/settings-reference.ts'

/** What is made from the schemas, by file of config/reference/. */
const GENERATORS: Readonly<Record<string, () => string | Promise<string>>> = {
  'cli.md': cliReference,
  'openapi.json': openapiReference,
  'settings.md': settingsReference,
}

const FOLDER = fileURLToPath(new URL('reference/', import.meta.url))

/** Writes the generated reference, or, with --check, says which parts of it are not what they should be. */
async function main(checkOnly: boolean): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  const outdated: string[] = []
  for (const [name, generate] of Object.entries(GENERATORS)) {
    const text = await generate()
    const present = await readIfThere(`${FOLDER}${name}`)
    if (present === text) continue
    if (checkOnly) outdated.push(name)
    else await writeFile(`${FOLDER}${name}`, text)
  }
  if (outdated.length === 0) return
  console.error(`outdated: config/reference/{${outdated.join(',')}}; run "npm run generate" and commit what it writes`)
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
