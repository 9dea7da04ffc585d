import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'

interface LineQuestion {
  readonly last: number
  /** Line of the cursor. */
  readonly line: number
}

export function LinePrompt({ last, line, close }: LineQuestion & PromptProps<LinePosition>) {
  const t = useText()
  const [text, setText] = useState(String(line))
  const [wrong, setWrong] = useState(false)
  const submit = (): void => {
    const position = parseLinePosition(text, last)
    if (position === undefined) setWrong(true)
    else close(position)
  }
  return (
    <Dialog
      title={t('editor.goToLine')}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit">
            {t('editor.go')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('editor.lineField')}
        hint={t('editor.lineHint', { last })}
        error={wrong && t('editor.lineWrong')}
        value={text}
        inputMode="numeric"
        autoComplete="off"
        dir="ltr"
        data-autofocus=""
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setWrong(false)
        }}
      />
    </Dialog>
  )
}

interface LinePosition {
  /** Both count from 1. */
  readonly line: number
  readonly column: number
}

/** Parses "12" or "12:5"; undefined for anything else. Lines after the last one are clamped. @param lines in the text */
export function parseLinePosition(text: string, lines: number): LinePosition | undefined {
  const [, line, column = '1'] = /^\s*(\d+)\s*(?:[:,]\s*(\d+))?\s*$/.exec(text) ?? []
  if (line === undefined) return undefined
  return { line: Math.min(Math.max(Number(line), 1), lines), column: Math.max(Number(column), 1) }
}
