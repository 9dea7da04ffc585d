import type { MessageId } from '../../../../i18n/use-text.tsx'

const TEXTS: Readonly<Record<string, MessageId>> = {
  before_save: 'hooks.beforeSave',
  after_save: 'hooks.afterSave',
  before_copy: 'hooks.beforeCopy',
  after_copy: 'hooks.afterCopy',
  before_rename: 'hooks.beforeRename',
  after_rename: 'hooks.afterRename',
  before_upload: 'hooks.beforeUpload',
  after_upload: 'hooks.afterUpload',
  before_delete: 'hooks.beforeDelete',
  after_delete: 'hooks.afterDelete',
}

/** What an event is called: "After an upload". */
export function eventText(event: string): MessageId {
  return TEXTS[event] ?? 'hooks.title'
}
