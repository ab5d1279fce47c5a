-- Standard names for the gaps in `SourceInfo`. A process of the previous version does not find them under these names: it
-- plays such a video like an undamaged one, detects the damage again and stores it under the old name.
update videos set source = source - 'holes' || jsonb_build_object('videoGaps', source -> 'holes') where source ? 'holes';
update videos set source = source - 'silences' || jsonb_build_object('audioGaps', source -> 'silences')
where source ? 'silences';
