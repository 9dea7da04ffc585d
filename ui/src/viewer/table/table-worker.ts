import type { TableAnswer, TableQuestion } from './table-reader.ts'
import { TableModel } from './table-model.ts'

/** Beside the page, so that a table of a million cells leaves it alone. */
function createDesk() {
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

const answer = createDesk()

self.onmessage = ({ data }: MessageEvent<TableQuestion>): void => {
  self.postMessage({ id: data.id, result: answer(data) } satisfies TableAnswer)
}
