import { Trans, useLingui } from '@lingui/react'
import type { ReactElement } from 'react'
import type catalogue from './catalogues/en.json'

export type MessageId = keyof typeof catalogue

type Values = Record<string, string | number>

/** Translates: `t('errors.status', { status: 404 })`. */
export type Translate = (id: MessageId, values?: Values) => string

export function useText(): Translate {
  const { i18n } = useLingui()
  return (id, values) => i18n._(id, values)
}

interface RichTextProps {
  id: MessageId
  values?: Values | undefined
  /** Elements for the tags of the message: the first replaces `<0>…</0>`. */
  elements: readonly ReactElement[]
}

/** A message with elements inside, such as a link in a sentence. */
export function RichText({ id, values, elements }: RichTextProps) {
  return <Trans id={id} values={{ ...values }} components={Object.fromEntries(elements.entries())} />
}
