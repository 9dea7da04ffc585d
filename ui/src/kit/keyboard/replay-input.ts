import type { KeptInput } from './early-input.ts'

type TextField = HTMLInputElement | HTMLTextAreaElement

/** Does what the browser would have done with a key or pasted text, in what has the focus now. */
export function replayInput(input: KeptInput): void {
  const target = document.activeElement ?? document.body
  if (typeof input === 'string') {
    if (isTextField(target)) typeInto(target, input)
    else target.dispatchEvent(clipboardEvent('paste', input))
  } else if (input instanceof KeyboardEvent) press(target, input)
  else target.dispatchEvent(clipboardEvent(input.type, ''))
}

function clipboardEvent(type: string, text: string): ClipboardEvent {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  return new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true })
}

function press(target: Element, input: KeyboardEvent): void {
  const isOpen = target.dispatchEvent(new KeyboardEvent('keydown', input))
  if (!isOpen) return
  if (isTextField(target)) {
    if (input.key.length === 1) typeInto(target, input.key)
    else if (input.key === 'Backspace') erase(target)
    else if (input.key === 'Enter') target.form?.requestSubmit()
  } else if (
    target instanceof HTMLElement &&
    target.matches('button, a[href], input') &&
    /^(Enter| )$/.test(input.key)
  ) {
    target.click()
  }
}

/** At the caret, in place of what is selected; the component hears of it as of any key. */
function typeInto(field: TextField, text: string): void {
  const end = field.value.length
  field.setRangeText(text, field.selectionStart ?? end, field.selectionEnd ?? end, 'end')
  field.dispatchEvent(new InputEvent('input', { data: text, inputType: 'insertText', bubbles: true }))
}

function erase(field: TextField): void {
  const { selectionStart: from, selectionEnd: to } = field
  if (from === null || to === null) return
  field.setRangeText('', from === to ? Math.max(0, from - 1) : from, to, 'end')
  field.dispatchEvent(new InputEvent('input', { inputType: 'deleteContentBackward', bubbles: true }))
}

function isTextField(element: Element): element is TextField {
  return (
    element instanceof HTMLTextAreaElement ||
    (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'file'].includes(element.type))
  )
}
