import { readSheets, type Sheet } from './sheets.ts'

export type SheetAnswer = { readonly sheets: readonly Sheet[] } | { readonly problem: string }

/** Reads workbooks in a worker, which can be ended when one takes too long. */
self.onmessage = ({ data }: MessageEvent<ArrayBuffer>): void => {
  self.postMessage(answer(data))
}

function answer(bytes: ArrayBuffer): SheetAnswer {
  try {
    return { sheets: readSheets(new Uint8Array(bytes)) }
  } catch (error) {
    return { problem: String(error) }
  }
}
