import { type Encoding, encodingFacts } from '../../../../src/domain/text/encodings.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'

interface MissingQuestion {
  readonly name: string
  readonly encoding: Encoding
  /** The first character that the encoding lacks. */
  readonly character: string
  readonly line: number
}

/** Says why a text was not saved, and offers encodings that have all characters. */
export function MissingPrompt(props: MissingQuestion & PromptProps<Encoding>) {
  const { name, encoding, character, line, close } = props
  const t = useText()
  const saveAs = (other: Encoding): string => t('editor.saveIn', { encoding: encodingFacts(other).name })
  return (
    <Dialog
      alert
      title={t('editor.missingTitle', { name })}
      onClose={() => close()}
      footer={
        <>
          <Button data-autofocus="" onClick={() => close()}>
            {t('editor.keepEditing')}
          </Button>
          {encoding === 'gbk' && <Button onClick={() => close('gb18030')}>{saveAs('gb18030')}</Button>}
          <Button variant="primary" onClick={() => close('utf-8')}>
            {saveAs('utf-8')}
          </Button>
        </>
      }
    >
      <p>{t('editor.missingText', { character, line, encoding: encodingFacts(encoding).name })}</p>
    </Dialog>
  )
}
