import type { Operation } from '../../../src/api/operation.ts'

/** Sample values of parameters for which "a.txt" would be invalid. */
const PARTS: Readonly<Record<string, string>> = {
  ':size': 'thumb',
  ':name': 'custom.css',
  ':hash': '0000',
  ':stream': 'none',
}

const QUERIES: Readonly<Record<string, string>> = {
  'files.transfer': '?action=rename&destination=%2Fb.txt',
  'search.run': '?query=a',
  'rules.why': '?user=admin&action=delete&path=%2Fa.txt',
  'events.stream': '?folder=missing',
}

/**
 * A sample address of any operation.
 *
 * @param file replaces "*", percent-encoded; by default a file "a.txt"
 * @param id replaces ":id"
 */
export function sampleAddress({ id: name, path }: Operation, { file = 'a.txt', id = '1' } = {}): string {
  const filled = path.replace(/:\w+/g, (part) => PARTS[part] ?? id).replace('*', file)
  return `${filled}${QUERIES[name] ?? ''}`
}
