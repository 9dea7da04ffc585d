import type { Operation } from '../../../src/api/operation.ts'

/** What stands for the parts of an address that are not fixed, where "a.txt" would be none of their kind. */
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
 * An address of an operation, whichever operations there will be.
 *
 * @param file what stands for "*", percent-encoded, in the place of a file "a.txt"
 * @param id what stands for ":id"
 */
export function sampleAddress({ id: name, path }: Operation, { file = 'a.txt', id = '1' } = {}): string {
  const filled = path.replace(/:\w+/g, (part) => PARTS[part] ?? id).replace('*', file)
  return `${filled}${QUERIES[name] ?? ''}`
}
