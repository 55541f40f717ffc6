/**
 * A panel with the microphone button of the host: pressed, it turns the fader on or off, and its
 * lamp shows what is in force, whoever turned it. `desk` is a client of `faderd-client`.
 */
export async function createPanel(desk, showLamp) {
  const fader = desk.mixer(0).fader(0);
  const live = await fader.watch();
  live.listen(({ value }) => showLamp(value.on ? "red" : "dark"));
  // Without a connection the value that is shown may be old.
  desk.onState(({ state }) => {
    if (state === "lost") showLamp("unknown");
    if (state === "open") showLamp(live.value.on ? "red" : "dark");
  });
  return { press: () => fader.on(!live.value.on) };
}
