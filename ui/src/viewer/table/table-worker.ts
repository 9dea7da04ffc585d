import type { TableAnswer, TableQuestion } from './use-table.ts'
import { TableModel } from './table-model.ts'

/** Parses and sorts tables in a worker, so a table of a million cells does not block the page. */
function createHandler() {
  let model: TableModel | undefined
  return (question: TableQuestion): TableAnswer['result'] => {
    if (question.kind === 'read') {
      model = new TableModel(new TextDecoder(question.encoding).decode(question.bytes), question.options)
      return model.facts
    }
    if (question.kind === 'arrange') return model?.arrange(question.arrangement) ?? 0
    return model?.rows(question.from, question.to) ?? []
  }
}

const handle = createHandler()

self.onmessage = ({ data }: MessageEvent<TableQuestion>): void => {
  self.postMessage({ id: data.id, result: handle(data) } satisfies TableAnswer)
}
