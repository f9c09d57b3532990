// The hero's text and the button 'Hear TARA', which plays a call in the place of the text.
import { useEffect, useRef } from "react";
import { choose, isStoppable, openPlayer, playInHero, usePlayer } from "./player.jsx";
import { setLevelSource } from "./scene_control.js";

export function HeroVoice({ words, children }) {
  const { isHeroPlaying, HeroStage, samples, code, hasFailed, isLoading } = usePlayer();
  const element = useRef(null);
  // The button is below the call, whose ribbons and bars may be out of view.
  useEffect(() => {
    if (!isHeroPlaying) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.current.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
  }, [isHeroPlaying]);
  return (
    <div className="hero__voice" ref={element} data-playing={isHeroPlaying ? "" : undefined}>
      {children}
      {isHeroPlaying &&
        (HeroStage ? (
          <HeroStage {...{ samples, code, words, choose, openPlayer, setLevelSource }} />
        ) : (
          <p className="hero-call status" role="status">
            {hasFailed && !isLoading ? words.missing : words.fetching}
          </p>
        ))}
    </div>
  );
}

export function HeroPlayButton({ words, call }) {
  const player = usePlayer();
  return (
    <button type="button" className="btn" onClick={() => playInHero(call)}>
      {isStoppable(player) ? words.stop : words.listen}
    </button>
  );
}
