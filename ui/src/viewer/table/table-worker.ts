import { encodingSample, provenEncoding } from '../../../../src/domain/text/proven-encoding.ts'
import { decodeLoosely, firstValid } from '../../../../src/domain/text/text-codec.ts'
import type { ReadEncoding, TableResponse, TableRequest } from './use-table.ts'
import { TableModel } from './table-model.ts'

/** Decodes, parses and sorts tables in a worker, so a table of a million cells does not block the page. */
function createHandler() {
  let model: TableModel | undefined
  return (request: TableRequest): TableResponse['result'] => {
    if (request.kind === 'prove') return prove(new Uint8Array(request.bytes))
    if (request.kind === 'read') {
      const bytes = new Uint8Array(request.bytes)
      const { encoding } = request
      const used = typeof encoding === 'string' ? encoding : firstValid(encoding, bytes)
      model = new TableModel(decodeLoosely(bytes, used), request.options)
      return { ...model.facts, encoding: used }
    }
    if (request.kind === 'arrange') return model?.arrange(request.arrangement) ?? 0
    return model?.rows(request.from, request.to) ?? []
  }
}

function prove(bytes: Uint8Array): ReadEncoding | Uint8Array {
  const proven = provenEncoding(bytes)
  // Whoever opens it as a table sees what can be read.
  return proven === 'binary' ? 'utf-8' : (proven ?? encodingSample(bytes))
}

const handle = createHandler()

self.onmessage = ({ data }: MessageEvent<TableRequest>): void => {
  self.postMessage({ id: data.id, result: handle(data) } satisfies TableResponse)
}
