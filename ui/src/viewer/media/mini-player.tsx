import { useEffect, useMemo, useState } from 'react'
import { useText, useTextPart } from '../../i18n/use-text.tsx'
import { AppLink, IconButton } from '../../kit/button/button.tsx'
import { Portal } from '../../kit/page/portal.tsx'
import { useStore } from '../../lib/create-store.ts'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { Cover, useMediaSession, useSongFacts } from './song.tsx'
import { useMediaState, useResume } from './player.tsx'
import styles from './mini-player.module.css'
import type { LoadedSong, SoundPlayer } from './sound-player.ts'

/** The song that goes on when its file is left, at the bottom of every screen. */
export function MiniPlayer({ player }: { readonly player: SoundPlayer }) {
  useTextPart('tools')
  const song = useStore(player.song)
  const isShown = useStore(player.isShown)
  if (song === undefined || isShown) return null
  return (
    <Portal to="dock">
      <Playing player={player} song={song} />
    </Portal>
  )
}

function Playing({
  player,
  song: { path, file, entries },
}: {
  readonly player: SoundPlayer
  readonly song: LoadedSong
}) {
  const t = useText()
  const audio = useMemo(() => ({ current: player.audio }), [player])
  const state = useMediaState(audio)
  const facts = useSongFacts(path, file, entries)
  useResume(audio, path)
  useMediaSession({ song: facts, state, onStep: (by) => player.step(by) })
  return (
    <section className={styles['player']} aria-label={t('viewer.player')}>
      <span className={styles['cover']}>
        <Cover address={facts.cover} size={24} />
      </span>
      <AppLink to={filesHref(path)} className={styles['titles']}>
        <bdi className="clip">{facts.title}</bdi>
        {facts.artist !== undefined && <bdi className="clip subtle">{facts.artist}</bdi>}
      </AppLink>
      <div className={styles['buttons']} dir="ltr">
        <IconButton
          icon="left"
          label={t('viewer.previous')}
          disabled={player.neighbour(-1) === undefined}
          onClick={() => player.step(-1)}
        />
        <IconButton
          icon={state.playing ? 'pause' : 'play'}
          label={t('viewer.playOrPause')}
          pressed={state.playing}
          onClick={state.toggle}
        />
        <IconButton
          icon="right"
          label={t('viewer.next')}
          disabled={player.neighbour(1) === undefined}
          onClick={() => player.step(1)}
        />
      </div>
      <Position audio={player.audio} />
      <IconButton icon="x" label={t('kit.close')} onClick={() => player.close()} />
    </section>
  )
}

/** Where the song is. Its own component: it changes four times a second. */
function Position({ audio }: { readonly audio: HTMLAudioElement }) {
  const t = useText()
  const [{ at, length }, setPlace] = useState({ at: 0, length: 0 })
  useEffect(() => {
    const listening = new AbortController()
    const update = (): void => {
      setPlace({ at: audio.currentTime, length: Number.isFinite(audio.duration) ? audio.duration : 0 })
    }
    for (const name of ['timeupdate', 'durationchange', 'seeked']) audio.addEventListener(name, update, listening)
    update()
    return () => listening.abort()
  }, [audio])
  return (
    <div className={styles['position']} dir="ltr">
      <span className="num subtle">{minutes(at)}</span>
      <input
        type="range"
        min={0}
        max={Math.max(1, Math.floor(length))}
        value={Math.floor(at)}
        aria-label={t('viewer.place')}
        aria-valuetext={`${minutes(at)} / ${minutes(length)}`}
        onChange={({ target }) => (audio.currentTime = target.valueAsNumber)}
      />
      <span className="num subtle">{minutes(length)}</span>
    </div>
  )
}

/** "61:05" */
function minutes(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
