import type { TableResponse, TableRequest } from './use-table.ts'
import { TableModel } from './table-model.ts'

/** Parses and sorts tables in a worker, so a table of a million cells does not block the page. */
function createHandler() {
  let model: TableModel | undefined
  return (request: TableRequest): TableResponse['result'] => {
    if (request.kind === 'read') {
      model = new TableModel(new TextDecoder(request.encoding).decode(request.bytes), request.options)
      return model.facts
    }
    if (request.kind === 'arrange') return model?.arrange(request.arrangement) ?? 0
    return model?.rows(request.from, request.to) ?? []
  }
}

const handle = createHandler()

self.onmessage = ({ data }: MessageEvent<TableRequest>): void => {
  self.postMessage({ id: data.id, result: handle(data) } satisfies TableResponse)
}
