import { mayDo, type Permissions } from '../../../../src/domain/permissions.ts'
import type { Translate } from '../../i18n/use-text.tsx'
import type { Held, Target, TransferKind, Work, WorkAction, WorkItem } from './work.ts'
export interface SelectionActionsDeps {
  readonly text: Translate
  readonly permissions: Permissions
  readonly work: Work
  readonly held: Held | null
  hold(kind: TransferKind, target: Target): void
  /** False when the name cannot be changed where it stands. */
  renameInPlace(item: WorkItem): boolean
}

/** What can be done with a selection: by what is selected, and by what the user may. In the order of the menu. */
export function selectionActions(deps: SelectionActionsDeps, target: Target): WorkAction[] {
  const { text: t, permissions, work, held, hold, renameInPlace } = deps
  const { count, folder } = target
  const items = (): ReturnType<Target['items']> => target.items()
  const some = (run: () => unknown) => (count > 0 ? () => void run() : undefined)
  const one = (run: () => unknown) => (count === 1 ? () => void run() : undefined)
  const paste = held === null ? undefined : () => void work.paste(folder)
  const only = count === 1 ? items()[0] : undefined
  const may = (right: Parameters<typeof mayDo>[1]): boolean => mayDo(permissions, right)
  const actions: (WorkAction | false)[] = [
    may('downloads.raw') &&
      only?.type !== 'invalid_link' && {
        id: 'download',
        label: t(count === 0 ? 'work.downloadFolder' : 'files.download'),
        icon: 'download',
        keys: 'Ctrl+S',
        group: 'act',
        bar: true,
        run: () => void work.download(target),
      },
    may('shares.manage') && {
      id: 'share',
      label: t('work.share'),
      icon: 'share',
      keys: '',
      group: 'act',
      bar: true,
      run: only?.type === 'invalid_link' ? undefined : one(() => only && work.share(only)),
    },
    may('files.rename') && {
      id: 'rename',
      label: t('work.rename'),
      icon: 'rename',
      keys: 'F2',
      group: 'act',
      run: one(() => only && (renameInPlace(only) || work.rename(only))),
    },
    may('files.copy') && {
      id: 'copy',
      label: t('work.copy'),
      icon: 'copy',
      keys: 'Ctrl+C',
      group: 'clipboard',
      listedOnly: true,
      run: some(() => hold('copy', target)),
    },
    may('files.rename') && {
      id: 'cut',
      label: t('work.cut'),
      icon: 'cut',
      keys: 'Ctrl+X',
      group: 'clipboard',
      listedOnly: true,
      run: some(() => hold('move', target)),
    },
    (may('files.copy') || may('files.rename')) && {
      id: 'paste',
      label: t('work.paste'),
      icon: 'paste',
      keys: 'Ctrl+V',
      group: 'clipboard',
      listedOnly: true,
      // In the menu of a folder it would seem to mean that folder.
      run: count === 0 ? paste : undefined,
      byKeys: paste,
    },
    may('files.copy') && {
      id: 'copyTo',
      label: t('work.copyTo'),
      icon: 'copy',
      keys: '',
      group: 'act',
      bar: true,
      run: some(() => work.copyTo(items())),
    },
    may('files.rename') && {
      id: 'moveTo',
      label: t('work.moveTo'),
      icon: 'folder-move',
      keys: '',
      group: 'act',
      bar: true,
      run: some(() => work.moveTo(items())),
    },
    {
      id: 'details',
      label: t('details.title'),
      icon: 'info',
      keys: 'Alt+Enter',
      group: 'act',
      bar: count === 0,
      run: () => void work.details(target),
    },
    may('files.remove') && {
      id: 'delete',
      label: t('work.delete'),
      icon: 'trash',
      keys: 'Del',
      group: 'act',
      bar: true,
      danger: true,
      run: some(() => work.remove(items())),
    },
    may('files.remove') && {
      id: 'deleteForGood',
      label: t('work.deleteForGood'),
      icon: 'trash',
      keys: 'Shift+Del',
      group: 'act',
      danger: true,
      run: some(() => work.removeForGood(items())),
    },
  ]
  return actions.filter((action) => action !== false)
}
