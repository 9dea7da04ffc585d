import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { TextField } from '../../kit/fields/text-field.tsx'
import { parseLinePlace, type LinePlace } from '../model/line-place.ts'

interface LineQuestion {
  readonly last: number
  /** Where the cursor is. */
  readonly line: number
}

export function LinePrompt({ last, line, close }: LineQuestion & PromptProps<LinePlace>) {
  const t = useText()
  const [text, setText] = useState(String(line))
  const [wrong, setWrong] = useState(false)
  const submit = (): void => {
    const place = parseLinePlace(text, last)
    if (place === undefined) setWrong(true)
    else close(place)
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
