import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { OpenedDocument } from '../document/opened-document.tsx'
import { isOldOffice, NotShown, openArchive, unpackedArchive } from '../document/safe-archive.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import type { SheetAnswer } from './sheet-worker.ts'
import type { Sheet } from './sheets.ts'
import { Table } from './table-stage.tsx'

/** Milliseconds. */
const MAX_TIME = 20_000

/** A workbook: its sheets as tables, without their formats and formulas. */
export function SheetStage(viewed: ViewedFile) {
  const { name } = viewed.file
  return (
    <OpenedDocument
      viewed={viewed}
      open={async (bytes, signal) => {
        const isOld = /\.xls$/i.test(name) && (await isOldOffice(bytes))
        return await sheetsOf(isOld ? bytes : await unpackedArchive(await openArchive(bytes)), signal)
      }}
      draw={(sheets) => <Sheets sheets={sheets} label={name} />}
    />
  )
}

function Sheets({ sheets, label }: { readonly sheets: readonly Sheet[]; readonly label: string }) {
  const t = useText()
  const [index, setIndex] = useState('0')
  const names = sheets.map(({ name }, each) => ({ value: String(each), label: name }))
  const choice = <Select label={t('viewer.sheet')} value={index} onChange={setIndex} options={names} />
  return <Table key={index} label={label} bytes={sheets[Number(index)]?.table.buffer} choice={choice} />
}

/** @throws NotShown; any other Error if the workbook is damaged */
async function sheetsOf(book: Blob, signal: AbortSignal): Promise<readonly Sheet[]> {
  const bytes = await book.arrayBuffer()
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), { type: 'module', name: 'sheets' })
  const { promise, resolve, reject } = Promise.withResolvers<SheetAnswer>()
  const timer = setTimeout(() => reject(new NotShown('viewer.tooLarge')), MAX_TIME)
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort)
  worker.onmessage = ({ data }: MessageEvent<SheetAnswer>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message))
  worker.postMessage(bytes, [bytes])
  try {
    const answer = await promise
    if ('sheets' in answer) return answer.sheets
    throw /password|encrypt/i.test(answer.problem) ? new NotShown('viewer.locked') : new Error(answer.problem)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    worker.terminate()
  }
}
