import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { type Locale, LOCALES } from '../../src/domain/page-contract.ts'
import { PARTS, type TextPart } from '../../ui/src/i18n/parts.ts'
import { type Catalogue, compileCatalogue } from './compile-catalogue.ts'
const FOLDER = join(import.meta.dirname, '../../ui/src/i18n/catalogues')
/** How ui/src/i18n/translations.ts requests a part: "de.settings-1a2b3c4d.json". */
const REQUEST = /\/texts\/([a-z-]+)\.([a-z]+)-\w+\.json$/

/**
 * Compiles the catalogues to one file per language and part. All file names share one version, so the page needs no list of
 * them: with 28 languages such a list would be large.
 */
export function catalogues(): Plugin {
  return {
    name: 'filemgr:catalogues',
    config: () => ({ define: { 'import.meta.env.TEXTS_VERSION': JSON.stringify(versionOf(compileAll())) } }),
    generateBundle() {
      const files = compileAll()
      const version = versionOf(files)
      for (const [name, source] of files) {
        this.emitFile({ type: 'asset', fileName: `static/texts/${name}-${version}.json`, source })
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, locale, part] = REQUEST.exec(request.url ?? '') ?? []
        if (!isLocale(locale) || !isPart(part)) next()
        else response.setHeader('content-type', 'application/json').end(compilePart(locale, part))
      })
    },
  }
}

function compileAll(): Map<string, string> {
  const parts = Object.keys(PARTS).filter(isPart)
  return new Map(
    LOCALES.flatMap((locale) => parts.map((part) => [`${locale}.${part}`, compilePart(locale, part)] as const)),
  )
}

/** Missing translations fall back to English. */
function compilePart(locale: Locale, part: TextPart): string {
  return compileCatalogue({ ...readCatalogue('en'), ...readCatalogue(locale) }, PARTS[part])
}

function readCatalogue(locale: Locale): Catalogue {
  const path = join(FOLDER, `${locale}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Catalogue) : {}
}

/** Eight characters, the pattern by which the server recognises files that it may cache forever. */
function versionOf(files: ReadonlyMap<string, string>): string {
  const hash = createHash('sha256')
  for (const [name, source] of files) hash.update(`${name}\0${source}\0`)
  return hash.digest('hex').slice(0, 8)
}

function isLocale(name: string | undefined): name is Locale {
  return LOCALES.some((locale) => locale === name)
}

function isPart(name: string | undefined): name is TextPart {
  return name !== undefined && Object.hasOwn(PARTS, name)
}
