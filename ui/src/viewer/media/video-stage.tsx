import { type RefObject, useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { useShortcuts } from '../../kit/keyboard/shortcuts.tsx'
import { MenuButton } from '../../kit/menu/menu-button.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { lastSegment } from '../../lib/navigation/app-path.ts'
import { subtitleLabel } from './playback.ts'
import { useDetails, useFileUrls } from '../file/file-source.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { PlayerBar, startPlaying, useMediaKeys, useMediaState, useResume } from './player.tsx'
import styles from './media.module.css'

/** A video in the browser's player, with the subtitles next to it. */
export function VideoStage({ file, path, autoplay, onDamaged, onStep }: ViewedFile) {
  const t = useText()
  const urls = useFileUrls()
  const video = useRef<HTMLVideoElement>(null)
  const state = useMediaState(video)
  const subtitles = useDetails(path, file).data?.subtitles ?? []
  useResume(video, path)
  useMediaKeys(video, state, onStep)
  useFirstSubtitles(video, subtitles.length)
  useEffect(() => {
    if (autoplay.on && video.current) startPlaying(video.current)
  }, [autoplay])
  const pictureInPicture = (): void => {
    const done = document.pictureInPictureElement
      ? document.exitPictureInPicture()
      : video.current?.requestPictureInPicture()
    // Rejected while the video has no picture yet.
    done?.catch(() => undefined)
  }
  return (
    <div className={styles['place']}>
      <video
        ref={video}
        className={styles['video']}
        src={urls.raw(path)}
        controls
        controlsList="noplaybackrate"
        playsInline
        preload="metadata"
        aria-label={file.name}
        onPlay={() => autoplay.set(true)}
        onError={onDamaged}
      >
        {subtitles.map((subtitle, index) => (
          <track
            key={subtitle}
            kind="subtitles"
            src={urls.subtitles(subtitle)}
            label={subtitleLabel(lastSegment(subtitle), file.name) || t('viewer.subtitles', { number: index + 1 })}
            default={index === 0}
          />
        ))}
      </video>
      <PlayerBar state={state}>
        {subtitles.length > 0 && <SubtitleMenu video={video} count={subtitles.length} />}
        {document.pictureInPictureEnabled && (
          <IconButton icon="panel" label={t('viewer.pictureInPicture')} onClick={pictureInPicture} />
        )}
      </PlayerBar>
    </div>
  )
}

interface SubtitleMenuProps {
  readonly video: RefObject<HTMLVideoElement | null>
  readonly count: number
}

/** Chooses among the subtitles, also those that the browser's own menu hides on small screens. C turns them off and on. */
function SubtitleMenu({ video, count }: SubtitleMenuProps) {
  const t = useText()
  const tracks = () => [...(video.current?.textTracks ?? [])]
  const [shown, setShown] = useState(0)
  const last = useRef(0)
  useEffect(() => {
    const list = video.current?.textTracks
    if (list === undefined) return
    const update = (): void => {
      const first = showingIn(list)
      // Browsers may also choose one by language, over the first.
      for (const [index, track] of [...list].entries()) if (index > first && first !== -1) track.mode = 'disabled'
      setShown(first)
    }
    update()
    list.addEventListener('change', update)
    return () => list.removeEventListener('change', update)
  }, [video, count])
  const choose = (chosen: number): void => {
    if (chosen === -1) last.current = Math.max(0, showingIn(tracks()))
    for (const [index, track] of tracks().entries()) track.mode = index === chosen ? 'showing' : 'disabled'
  }
  // `shown` follows a moment later: a key that is pressed twice would turn them off twice.
  const toggle = (): void => choose(showingIn(tracks()) === -1 ? last.current : -1)
  useShortcuts([{ keys: 'C', label: t('viewer.subtitlesMenu'), group: 'act', run: toggle }])
  const entries = (): MenuEntry[] =>
    [t('viewer.subtitlesOff'), ...tracks().map(({ label }) => label)].map((label, place) => ({
      kind: 'choice',
      label,
      checked: shown === place - 1,
      run: () => choose(place - 1),
    }))
  return (
    <MenuButton label={t('viewer.subtitlesMenu')} entries={entries}>
      {t('viewer.subtitlesMenu')}
    </MenuButton>
  )
}

function showingIn(tracks: Iterable<TextTrack>): number {
  return [...tracks].findIndex(({ mode }) => mode === 'showing')
}

/** Turns the first subtitles on. Browsers check `default` only at the start, and subtitles may be added later. */
function useFirstSubtitles(video: { readonly current: HTMLVideoElement | null }, count: number): void {
  useEffect(() => {
    const first = video.current?.textTracks[0]
    if (first?.mode === 'disabled') first.mode = 'showing'
  }, [video, count])
}
