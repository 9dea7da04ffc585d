import { useEffect, useRef, useState } from 'react'
import { isWorthAsking, type SearchRequest } from './search-request.ts'
import type { ChangeRequest } from './use-search-address.ts'

/** Milliseconds without a key after which is searched. */
const PAUSE = 250

interface TypedText {
  readonly text: string
  /** What is typed is not searched for yet. */
  readonly pending: boolean
  type(text: string): void
  /** Searches now, however short the text is. */
  submit(): void
}

/** The text in the field, and the request that follows it after a pause. */
export function useTypedText(request: SearchRequest, change: (change: ChangeRequest) => void): TypedText {
  const [text, setText] = useState(request.text)
  const sent = useRef(request.text)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Back, forward, or one of the recent searches.
    if (request.text === sent.current) return
    sent.current = request.text
    setText(request.text)
  }, [request.text])
  const send = (wanted: string) => {
    clearTimeout(timer.current)
    sent.current = wanted
    change((now) => ({ ...now, text: wanted }))
  }
  return {
    text,
    pending: text.trim() !== request.text.trim(),
    type(typed) {
      setText(typed)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => send(isWorthAsking({ ...request, text: typed }) ? typed : ''), PAUSE)
    },
    submit: () => send(text),
  }
}
